import type { Suspect } from '#model/checks/judge-prices.ts';
import { exemplify } from '#model/format/name-some.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import styles from './shared/markets-screen.module.css';
import { nameOf } from '#model/tables/markets/product-names.ts';

/** What a failed cross-check withholds, by the figure that is off. */
const WITHHELD: Readonly<Record<Suspect, string>> = {
  'tick size': 'USD prices withheld',
  'contract size': 'USD values withheld',
  'tick size or contract size': 'USD prices withheld',
  'daily values': 'USD open interest withheld',
  '24 h value': '24 h volume in USD withheld',
  'chart': 'chart settlement withheld',
  'mark': 'index and mark in USD withheld',
};

/** One notice for each figure that is off, however many products it is off for. */
export function CheckNotices({ rows }: { readonly rows: readonly MarketRow[] }) {
  const found = rows.flatMap((row) =>
    [...row.checks.reasons].map(([suspect, reason]) => ({ suspect, name: nameOf(row), reason })),
  );
  return [...Map.groupBy(found, ({ suspect }) => suspect)].map(([suspect, group]) => {
    const { names, reason } = exemplify(group);
    return <CheckNotice key={suspect} title={`${names}: ${WITHHELD[suspect]}.`} reason={reason} />;
  });
}

/** On a phone the reason is folded away: three lines of it would push the list down. */
function CheckNotice({ title, reason }: { readonly title: string; readonly reason: string }) {
  const isNarrow = useMedia(NARROW);
  const text = (
    <span>
      {!isNarrow && <strong>{title}</strong>} {reason} See <Link to="/status">the cross-checks</Link>.
    </span>
  );
  if (!isNarrow) return <p className={styles['notice']}>{text}</p>;
  return (
    <details className={styles['notice']}>
      <summary>
        <strong>{title}</strong>
      </summary>
      {text}
    </details>
  );
}
