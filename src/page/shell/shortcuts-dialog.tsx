import { Dialog } from '#page/kit/dialog.tsx';
import { KeyCaps, useBoundKeys } from '#page/kit/use-keys.tsx';
import { usePreferences } from '#page/kit/use-preferences.tsx';
import styles from './shortcuts-dialog.module.css';

export function ShortcutsDialog({ close }: { readonly close: () => void }) {
  const bindings = useBoundKeys();
  const { singleKeys } = usePreferences();
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <div className={styles['sheet']}>
        {[...Map.groupBy(bindings, ({ group }) => group)].map(([group, members]) => (
          <section key={group}>
            <h3 className={styles['group']}>{group}</h3>
            <dl className={styles['keys']}>
              {members.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    <KeyCaps keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className={styles['hint']}>
          Press <kbd>i</kbd> on a figure to see where it comes from. Single-key shortcuts are {singleKeys}; change this
          in Preferences.
        </p>
      </div>
    </Dialog>
  );
}
