import { useNavigator, useUrlState } from '#page/kit/navigation/navigation.tsx';
import { writeQuery } from '#page/kit/navigation/write-query.ts';
import { expiryFilter, rightFilter } from '#model/tables/markets/market-params.ts';
import { describeTermFilter } from '#model/tables/markets/term-filter.ts';
import styles from '#model/tables/markets/term-filter.module.css';

/** The active filter of terms in words; a click removes it. */
export function TermFilterChip() {
  const navigator = useNavigator();
  const [expires] = useUrlState(expiryFilter);
  const [right] = useUrlState(rightFilter);
  const words = describeTermFilter({ expires, right });
  if (words === null) return null;
  return (
    <button
      type="button"
      className={styles['chip']}
      aria-label={`${words}, remove filter`}
      onClick={({ currentTarget }) => {
        // It disappears, and the button before it opens the filters.
        if (currentTarget.previousElementSibling instanceof HTMLElement) currentTarget.previousElementSibling.focus();
        writeQuery(navigator, (query) => {
          expiryFilter.write(query, '');
          rightFilter.write(query, '');
        });
      }}
    >
      {words} ×
    </button>
  );
}
