import { Fragment } from 'react';
import { formatNumber } from '#model/format/number.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { toMarketTotals, type MarketTotal } from '#model/markets/market-totals.ts';
import { Figure } from '#page/kit/controls/figure.tsx';

/** The totals of the products shown. */
export function MarketSums({ rows }: { readonly rows: readonly MarketRow[] }) {
  return (
    <>
      <Sums name="24 h volume" totals={toMarketTotals(rows, 'volumeUsd')} />
      <Sums name="Open interest" totals={toMarketTotals(rows, 'openInterestUsd')} />
    </>
  );
}

const EXACT = [{ name: 'Computed', value: 'Exact sum over the products shown' }];

/** Each kind of value has a sum of its own. */
function Sums({ name, totals }: { readonly name: string; readonly totals: readonly MarketTotal[] }) {
  return (
    totals.length > 0 && (
      <span>
        {name} USD:{' '}
        {totals.map(({ kind, value, known, products }, index) => (
          <Fragment key={kind}>
            {index > 0 && ', '}
            {kind}{' '}
            <Figure name={`${name}, ${kind}`} text={formatNumber(value, { digits: 0 })} provenance={() => EXACT} />
            {known < products && ` (${String(known)} of ${String(products)} products)`}
          </Fragment>
        ))}
      </span>
    )
  );
}
