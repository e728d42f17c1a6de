import { Dialog } from '#ui/dialog.tsx';
import { KeyCaps } from '#ui/keys/key-caps.tsx';
import { useBoundKeys } from '#ui/keys/use-keys.tsx';
import { usePreferences } from '#ui/preferences/use-preferences.tsx';
import styles from './key-sheet.module.css';

/** The keys that hold now, as they were bound: it cannot say anything else. */
export function KeySheet({ close }: { readonly close: () => void }) {
  const bindings = useBoundKeys();
  const { singleKeys } = usePreferences();
  return (
    <Dialog title="Keys" close={close}>
      <div className={styles['sheet']}>
        {[...Map.groupBy(bindings, ({ group }) => group)].map(([group, members]) => (
          <section key={group}>
            <h3 className={styles['group']}>{group}</h3>
            <dl className={styles['keys']}>
              {members.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>{does}</dt>
                  <dd>
                    <KeyCaps keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className={styles['remark']}>
          On a figure, <kbd>i</kbd> tells where it comes from. Keys without Ctrl are {singleKeys}; the preferences switch them.
        </p>
      </div>
    </Dialog>
  );
}
