import type { MarketRow } from '#domain/market-rows.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import type { Quantity } from '#domain/quantity.ts';
import { linkCells } from '#ui/grid/link-cells.ts';
import type { Navigator } from '#ui/navigation/navigator.ts';
import type { Clock } from '#ui/time/clock.ts';
import { toBoundaryText } from './boundary.ts';
import { figure, type MarketColumn } from './figures.ts';

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
      text: ({ funding }) => (funding === null ? NO_VALUE : toBoundaryText(funding, toVenueTime(clock.read()))),
      value: ({ funding }) => funding?.interval?.interval_end ?? null,
      watch: clock.subscribe,
    },
  ];
}

function toFundingPath({ funding, product: { base_symbol: symbol } }: MarketRow): string | null {
  return funding === null || symbol === undefined ? null : `/funding/${encodeURIComponent(symbol)}`;
}

function rate(name: 'settled' | 'estimate' | 'settledApr') {
  return figure({ read: ({ funding }): Quantity | null => funding?.[name] ?? null, format: { signed: true } });
}
