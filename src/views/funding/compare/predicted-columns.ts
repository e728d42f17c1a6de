import { formatRate } from '#domain/format/number.ts';
import { formatQuantity } from '#domain/format/quantity.ts';
import { formatMissing } from '#panels/funding-countdown.ts';
import { whyNoCountdown } from '#panels/why-no-countdown.ts';
import { type CellTooltip, withReason } from '#ui/grid/cell-tooltip.ts';
import type { Clock } from '#ui/time/clock.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { toCountdownText, toElapsedText, WEIGHT_SO_FAR } from '../interval-text.ts';
import type { CompareRow } from './compare-row.ts';
import { type CompareColumn, figureCells, quietTone, toProvenanceTooltip } from './figure-column.ts';

export interface PredictedParts {
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
  /** Why predicted rates are missing; null while they load. */
  readonly missingBecause: string | null;
}

/** Why a perpetual has no predicted rate. */
export function whyNoPrediction(missingBecause: string | null): string {
  return missingBecause ?? 'Not read yet: predicted rates are read a few at a time.';
}

/** The predicted rate of the current interval, and how far that has run. */
export function createPredictedColumns({ clock, toVenueTime, missingBecause }: PredictedParts): readonly CompareColumn[] {
  const venueNow = (): number => toVenueTime(clock.read());
  const text = ({ estimate }: CompareRow): string => (estimate === null ? formatMissing(missingBecause === null) : formatQuantity(estimate));
  return [
    {
      id: 'estimate',
      title: 'Predicted rate',
      ...{ unit: '% per 8 h', width: 104 },
      ...figureCells(PREDICTED, ({ estimate }) => estimate, ({ value }) => formatRate(value)),
      text,
      tone: ({ latestEstimate }) => (latestEstimate !== null && latestEstimate.notCurrent !== null ? 'old' : 'quiet'),
      explain: (row) => {
        if (row.estimate === null) return { title: `${row.symbol}: no predicted rate`, facts: [{ name: 'Missing', value: whyNoPrediction(missingBecause) }] };
        return withReason(toProvenanceTooltip(`${row.symbol} ${PREDICTED}`, row.estimate, text(row)), 'Stale', row.latestEstimate?.notCurrent ?? null);
      },
    },
    {
      id: 'elapsed',
      title: 'Elapsed',
      unit: 'weight so far',
      tooltip: WEIGHT_SO_FAR,
      unsorted: true,
      kind: 'number',
      width: 116,
      text: (row) => toElapsedText(row, venueNow()),
      value: ({ interval }) => interval?.interval_end ?? null,
      watch: clock.subscribe,
      tone: quietTone,
    },
    {
      id: 'next',
      title: 'Next funding in',
      unit: 'h:m:s',
      kind: 'number',
      width: 112,
      text: (row) => toCountdownText(row, venueNow()),
      value: ({ interval }) => interval?.interval_end ?? null,
      watch: clock.subscribe,
      tone: quietTone,
      explain: (row) => explainFundingTime(row, venueNow()),
    },
  ];
}

function explainFundingTime({ symbol, interval }: CompareRow, venueNow: number): CellTooltip | null {
  if (interval === null) return null;
  const reason = whyNoCountdown(interval, venueNow);
  if (reason !== null) return { title: `${symbol}: no next funding time`, facts: [{ name: 'No countdown', value: reason }] };
  return { title: `${symbol}: next funding time`, facts: [{ name: 'Funding time', value: formatInAllZones(interval.interval_end) }] };
}

const PREDICTED = 'predicted rate of the current interval';
