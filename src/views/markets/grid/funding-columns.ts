import type { MarketRow } from '#domain/market-rows.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import type { Quantity } from '#domain/quantity.ts';
import { linkCells } from '#ui/grid/link-cells.ts';
import type { Navigator } from '#ui/navigation/navigator.ts';
import type { Clock } from '#ui/time/clock.ts';
import { figureCells, type MarketColumn } from './figure-cells.ts';
import { toIntervalProgress } from '#domain/funding-rate.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { tellBoundary } from '#panels/funding-countdown.ts';

const RATE = { unit: '% / 8 h', width: 68 };

interface FundingColumnParts {
  readonly navigator: Navigator;
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
}

/** What holding a perpetual costs: the last settled print, and the estimate of the interval in progress, never mixed. */
export function createFundingColumns({ navigator, clock, toVenueTime }: FundingColumnParts): readonly MarketColumn[] {
  const estimate = rate('estimate');
  return [
    { id: 'funding', title: 'Funding', ...RATE, ...rate('settled'), ...linkCells(navigator, { to: toFundingPath }) },
    {
      id: 'estimate',
      title: 'Estimate',
      ...RATE,
      ...estimate,
      // Not read yet is not the same as no figure.
      text: (row) => (row.funding !== null && row.funding.estimate === null ? '…' : estimate.text(row)),
      tone: ({ funding }) => (funding !== null && funding.estimateNotCurrent !== null ? 'old' : 'quiet'),
    },
    { id: 'apr', title: 'APR', unit: '%, simple', width: 68, ...rate('settledApr') },
    {
      id: 'boundary',
      title: 'Next',
      unit: 'h:m:s',
      kind: 'number',
      width: 64,
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
  return figureCells({ read: ({ funding }): Quantity | null => funding?.[name] ?? null, format: { signed: true } });
}

/** Time to the next funding, by the end of the interval in progress and the venue's clock. What no print tells, the estimate may yet. */
export function formatTimeToFunding({ estimate, interval }: MarketFunding, venueNow: number): string {
  return tellBoundary(interval && toIntervalProgress(interval, venueNow), estimate === null);
}
