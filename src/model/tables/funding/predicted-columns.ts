import { formatMissing, formatPercent, formatRate } from '../../format/number.ts';
import { formatReadAge } from '../../funding/read-age.ts';
import { RATE_FORM_LABELS, type RateForm } from '../../funding/funding-rate.ts';
import type { Quantity } from '../../units/quantity.ts';
import { type CellTooltip, withReason } from '../cell-tooltip.ts';
import { whyNoCountdown } from '../why-no-countdown.ts';
import type { Clock } from '../clock.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { FORM_HEADERS, toCountdownText, toElapsedText, WEIGHT_SO_FAR } from './rate-text.ts';
import type { CompareRow, RankedRow } from './compare-row.ts';
import { type CompareColumn, figureCells, quietTone, toProvenanceTooltip } from './figure-column.ts';

export interface PredictedInputs {
  readonly form: RateForm;
  readonly clock: Clock;
  readonly toVenueTime: (browserNow: number) => number;
  /** Why predicted rates are missing; null while they load. */
  readonly missingBecause: string | null;
}

/** Explains why a perpetual has no predicted rate. */
export function whyNoPredictedRate(missingBecause: string | null): string {
  return missingBecause ?? 'Not read yet: predicted rates are read a few at a time.';
}

/** Creates the columns of the predicted rate of the current interval, and of how much of that has elapsed. */
export function createPredictedColumns({
  form,
  clock,
  toVenueTime,
  missingBecause,
}: PredictedInputs): readonly CompareColumn[] {
  const venueNow = (): number => toVenueTime(clock.read());
  const ageOf = (row: CompareRow): string =>
    row.latestEstimate === null ? '' : formatReadAge(row.latestEstimate, clock.read());
  const predicted = (name: string, read: (row: CompareRow) => Quantity | null, format: (value: Quantity) => string) => {
    const cells = figureCells(name, read, format);
    const text = (row: RankedRow): string =>
      row.estimate === null ? formatMissing(missingBecause === null) : cells.text(row);
    return {
      ...cells,
      text,
      tone: ({ latestEstimate }) => (latestEstimate !== null && latestEstimate.notCurrent !== null ? 'old' : 'quiet'),
      explain: (row) => {
        if (row.estimate === null)
          return {
            title: `${row.symbol}: no predicted rate`,
            facts: [{ name: 'Missing', value: whyNoPredictedRate(missingBecause) }],
          };
        return withReason(
          toProvenanceTooltip(`${row.symbol} ${name}`, read(row), text(row)),
          'Stale',
          row.latestEstimate?.notCurrent ?? null,
        );
      },
    } satisfies Partial<CompareColumn>;
  };
  const withAge = (cells: ReturnType<typeof predicted>) => ({
    ...cells,
    text: (row: RankedRow) => `${ageOf(row)}${cells.text(row)}`,
    copied: cells.text,
    watch: clock.subscribe,
  });
  const rate = predicted(
    PREDICTED,
    ({ estimate }) => estimate,
    ({ value }) => formatRate(value),
  );
  const { unit, digits } = RATE_FORM_LABELS[form];
  return [
    {
      id: 'estimate',
      title: 'Predicted rate',
      ...{ unit: '% per 8 h', width: 128, hidden: form !== 'interval', tooltip: AGE_MEANING },
      ...withAge(rate),
    },
    {
      id: 'estimate-form',
      title: FORM_HEADERS[form].predicted,
      unit: FORM_HEADERS[form].unit,
      ...{ width: 128, tooltip: AGE_MEANING },
      ...withAge(
        predicted(
          `${PREDICTED}, ${unit}`,
          ({ estimateInForm }) => estimateInForm,
          ({ value }) => formatPercent(value, { digits, signed: true }),
        ),
      ),
    },
    {
      id: 'elapsed',
      title: 'Interval elapsed',
      unit: 'weight so far',
      hidden: true,
      tooltip: WEIGHT_SO_FAR,
      unsorted: true,
      kind: 'number',
      width: 120,
      text: (row) => toElapsedText(row, venueNow()),
      value: ({ interval }) => interval?.interval_end ?? null,
      watch: clock.subscribe,
      tone: quietTone,
    },
    {
      id: 'next',
      title: 'Next funding in',
      unit: 'h:m:s',
      hidden: true,
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
  if (reason !== null)
    return { title: `${symbol}: no next funding time`, facts: [{ name: 'No countdown', value: reason }] };
  return {
    title: `${symbol}: next funding time`,
    facts: [{ name: 'Funding time', value: formatInAllZones(interval.interval_end) }],
  };
}

const AGE_MEANING = 'Before the rate: how long ago it was read, from one minute on.';
const PREDICTED = 'predicted rate of the current interval';
