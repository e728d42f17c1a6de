import { toNumber } from '#contract/exchange/brand.ts';
import type { Suspect } from '#model/checks/judge-prices.ts';
import { countOf, exemplify } from '#model/format/count.ts';
import { createWhyShared, describeDoubtfulRates } from '#model/funding/doubtful-rates.ts';
import type { MarketResponses, MarketRow } from '#model/markets/market-rows.ts';
import { toAsOf } from '#model/orders/order-row.ts';
import {
  describeTooEarlyExpired,
  describeUnlisted,
  findTooEarlyExpired,
  findUnlisted,
} from '#model/products/unlisted.ts';
import { nameOf } from '#model/tables/markets/market-list.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { SpecificationDoubts } from '#page/panels/products/specification-doubts.tsx';
import { Notice } from './notices.tsx';
import styles from './markets-screen.module.css';

interface ListDoubtsProps {
  readonly responses: MarketResponses;
  readonly rows: readonly MarketRow[];
}

/** Says which rates are in doubt, what the list of products lacks, and which specifications are wrong. */
export function ListDoubts({ responses: { products, trailing, funding }, rows }: ListDoubtsProps) {
  const { source, products: all } = products.value;
  // Products that are learnt from other data are only those that have them.
  const unlisted =
    source === 'product/specs'
      ? describeUnlisted(
          findUnlisted(new Set(all.map(({ product_id: id }) => toNumber(id))), {
            trailing: trailing?.value,
            funding: funding?.value.data,
          }),
        )
      : null;
  const expired = describeTooEarlyExpired(
    findTooEarlyExpired(all, { trailing: trailing?.value }, toAsOf(products, 0)).map(
      ({ product_id: id, symbol }) => symbol ?? String(id),
    ),
  );
  const notices = [unlisted, expired].filter((notice) => notice !== null);
  useAnnounced(notices.length === 0 ? null : notices.map(({ title, text }) => `${title} ${text}`).join(' '), true);
  return (
    <>
      <DoubtfulRates noun="settled rate" rows={rows} rate="settled" doubt="settledDoubt" />
      <DoubtfulRates noun="predicted rate" rows={rows} rate="estimate" doubt="estimateDoubt" />
      {notices.map(({ title, text }) => (
        <p key={title} className={styles['notice']} role="note">
          <span>
            <strong>{title}</strong> {text}
          </span>
        </p>
      ))}
      <SpecificationDoubts products={rows.map(({ product }) => product)} className={styles['notice']} />
    </>
  );
}

/** What a failed cross-check withholds on this screen, by suspect. */
const WITHHELD: Readonly<Partial<Record<Suspect, string>>> = {
  'tick size': 'USD prices',
  'prices': 'USD prices',
  'contract size': 'USD values',
  'open interest': 'open interest',
  'open interest value': 'USD open interest',
  '24 h volume': '24 h volume',
  '24 h value': '24 h volume in USD',
  'mark': 'index and mark in USD',
};

/** If more products are affected, something is wrong with the whole list, so it is said at once. */
const FEW = 3;

/**
 * Counts the products of which figures are withheld, each of which is marked in its row; opened, it says which figures,
 * and why.
 */
export function WithheldProducts({ rows }: { readonly rows: readonly MarketRow[] }) {
  const found = rows.flatMap((row) =>
    [...Map.groupBy(row.checks.reasons, ([, reason]) => reason)].flatMap(([reason, suspects]) => {
      const figures = new Set(suspects.flatMap(([suspect]) => WITHHELD[suspect] ?? []));
      return figures.size === 0 ? [] : [{ figures: [...figures].join(', '), name: nameOf(row), reason }];
    }),
  );
  if (found.length === 0) return null;
  const count = new Set(found.map(({ name }) => name)).size;
  return (
    <details className={styles['withheld']} open={count > FEW}>
      <summary>{countOf(count, 'product')} withheld</summary>
      {[...Map.groupBy(found, ({ figures }) => figures)].map(([figures, group]) => {
        const { names, reason } = exemplify(group);
        return (
          <p key={figures}>
            <strong>{`${names}: ${figures} withheld.`}</strong> {reason}
          </p>
        );
      })}
      <Link to="/status">All cross-checks</Link>
    </details>
  );
}

interface DoubtfulRatesProps {
  readonly noun: string;
  readonly rows: readonly MarketRow[];
  readonly rate: 'settled' | 'estimate';
  readonly doubt: 'settledDoubt' | 'estimateDoubt';
}

function DoubtfulRates({ noun, rows, rate, doubt }: DoubtfulRatesProps) {
  const read = ({ funding }: MarketRow) => funding?.[rate]?.value?.toNumber();
  const whyShared = createWhyShared(rows.map((row) => ({ rate: read(row), interest: row.funding?.interest })));
  const doubts = describeDoubtfulRates(
    noun,
    rows.map((row) => ({ name: nameOf(row), doubt: row.funding?.[doubt] ?? whyShared(read(row)) })),
  );
  return doubts.length > 0 && <Notice problems={doubts} />;
}
