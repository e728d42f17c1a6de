import type { MarketRow } from '#domain/market-rows.ts';
import { useTeller } from '#ui/panel/teller.tsx';
import styles from './markets-screen.module.css';
import { nameOf } from './to-note.ts';
import { toMissing } from './to-panel-query.ts';
import type { MarketPart } from './use-market-answers.ts';

/** What the list lacks, and why: a part that never came, and products whose increment does not hold. */
export function Notices({ parts, rows }: { readonly parts: readonly MarketPart[]; readonly rows: readonly MarketRow[] }) {
  const teller = useTeller();
  const missing = toMissing(parts, (error) => teller.ofError(error).kind === 'refused');
  const odd = rows.filter(({ check }) => check.verdict === 'off');
  return (
    <>
      {missing.map(({ name, error, query }) => (
        <p key={name} className={styles['notice']} role="alert">
          <span>
            <strong>{name}: missing.</strong> {teller.ofError(error).detail}
          </span>
          <button type="button" onClick={() => void query.refetch()}>
            Try again
          </button>
        </p>
      ))}
      {odd.map((row) => (
        <p key={row.productId} className={styles['notice']}>
          <span>
            <strong>{nameOf(row)}: USD from ticks withheld.</strong> {row.check.reason} Its settlement is the chart’s.
          </span>
        </p>
      ))}
    </>
  );
}
