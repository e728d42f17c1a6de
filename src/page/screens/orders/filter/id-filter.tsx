import type { GridFilter } from '#model/tables/grid-state.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { useDraft } from '#page/kit/use-draft.ts';
import styles from '../shared/orders.module.css';
import { toIdFilter, toIdSearch, type IdSearch } from '#model/tables/orders/id-search.ts';

interface IdFilterProps {
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

const MODES = [
  ['has', 'Contains'],
  ['starts', 'Starts with'],
  ['is', 'Is'],
] as const;

/** Nearly every order has an id of its own, so ids are searched, not listed. */
export function IdFilter({ filter, put }: IdFilterProps) {
  const [draft, setDraft] = useDraft<IdSearch>(toKey(filter));
  const current = draft ?? toIdSearch(filter);
  const edit = (search: IdSearch): void => {
    const next = toIdFilter(search);
    setDraft(search, toKey(next));
    put(next);
  };
  return (
    <>
      <Segmented
        label="Comparison"
        choices={MODES}
        value={current.mode}
        onChange={(mode) => {
          edit({ ...current, mode });
        }}
      />
      <label className={styles['choice']}>
        {current.mode === 'is' ? 'IDs, separated by spaces or commas' : 'Digits'}
        <input
          type="text"
          value={current.text}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            edit({ ...current, text: target.value });
          }}
        />
      </label>
    </>
  );
}

function toKey(filter: GridFilter | null | undefined): string {
  return JSON.stringify(filter ?? null);
}
