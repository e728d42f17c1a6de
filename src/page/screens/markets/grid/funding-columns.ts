import type { MarketFunding, MarketRow } from '#model/markets/market-rows.ts';
import { NO_VALUE } from '#model/format/number.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { linkCells } from '#page/kit/grid/cell-widgets.ts';
import type { Navigator } from '#page/kit/navigator.ts';
import type { Clock } from '#model/tables/clock.ts';
import { figureCells, type MarketColumn } from '#model/tables/markets/figure-cells.ts';
import { toIntervalProgress } from '#model/funding/funding-rate.ts';
import { formatFundingCountdown } from '#model/tables/cell-tooltip.ts';

const RATE = { unit: '% per 8 h', width: 68 };

interface FundingColumnContext {
  readonly navigator: Navigator;
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
}

/** Columns for the last settled rate and the predicted rate of the current interval, which are never mixed. */
export function createFundingColumns({ navigator, clock, toVenueTime }: FundingColumnContext): readonly MarketColumn[] {
  const estimate = rate('estimate');
  return [
    {
      id: 'funding',
      title: 'Last funding',
      ...RATE,
      width: 80,
      ...rate('settled'),
      ...linkCells(navigator, { to: toFundingPath }),
    },
    {
      id: 'estimate',
      title: 'Predicted',
      ...RATE,
      // Wide enough for the age before it.
      width: 98,
      ...estimate,
      // A rate that is still loading must not look like a missing one.
      text: (row) => (row.funding !== null && row.funding.estimate === null ? '…' : estimate.text(row)),
      tone: ({ funding }) => {
        if (funding !== null && funding.estimateDoubt !== null) return 'attention';
        return funding !== null && funding.estimateNotCurrent !== null ? 'old' : 'quiet';
      },
    },
    { id: 'apr', title: 'APR', unit: '%, simple', width: 64, ...rate('settledApr') },
    {
      id: 'boundary',
      title: 'Countdown',
      unit: 'h:m:s',
      kind: 'number',
      smallestFirst: true,
      width: 74,
      text: ({ funding }) => (funding === null ? NO_VALUE : formatTimeToFunding(funding, toVenueTime(clock.read()))),
      value: ({ funding }) => funding?.interval?.interval_end ?? null,
      watch: clock.subscribe,
    },
  ];
}

function toFundingPath({ funding, product: { base_symbol: symbol } }: MarketRow): string | null {
  return funding === null || symbol === undefined ? null : `/funding/${encodeURIComponent(symbol)}`;
}

function rate(name: 'settled' | 'estimate' | 'settledApr') {
  const cells = figureCells({
    read: ({ funding }): Quantity | null => funding?.[name] ?? null,
    format: { signed: true },
    overdue: ({ funding, ages }) => (funding === null || name === 'estimate' ? null : ages.overdueRate),
  });
  return {
    ...cells,
    tone: (row: MarketRow) => (typeof row.funding?.settledDoubt === 'string' ? 'attention' : cells.tone?.(row)),
  };
}

/**
 * Formats the countdown to the next funding time by the exchange's clock. If no settled rate gives that time, the
 * predicted rate may still provide it.
 *
 * @internal Exported for its test.
 */
export function formatTimeToFunding({ estimate, interval }: MarketFunding, venueNow: number): string {
  return formatFundingCountdown(interval && toIntervalProgress(interval, venueNow), estimate === null);
}
