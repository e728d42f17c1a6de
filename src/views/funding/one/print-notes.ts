import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { describeFigure } from '#domain/format-figure.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import type { RateForm } from '#domain/funding/rate-form.ts';
import type { Sourced } from '#domain/source.ts';
import type { ReadoutNotes } from '#ui/chart/with-notes.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import type { OneData } from './one-data.ts';
import { toEstimateFigures, toPrintFigures, type PrintFigures } from './one-figures.ts';
import type { Slot } from './to-slots.ts';

interface Told {
  readonly form: RateForm;
  readonly side: FundingSide;
}

/** Where the figures of the chart's intervals come from. */
export function createPrintNotes(data: OneData, slots: readonly Slot[], estimate: Sourced<EstimatedFundingRateData> | null, { form, side }: Told): ReadoutNotes {
  const note = (name: keyof PrintFigures) => (index: number) => {
    const row = slots[index]?.print?.row;
    return describeFigure(row === undefined ? null : toPrintFigures(data, row, form, side)[name], formatInAllZones);
  };
  return {
    Settled: note('settled'),
    As: note('inForm'),
    'Mark over index': note('premium'),
    Index: note('index'),
    Mark: note('mark'),
    Estimate: (index) => describeFigure(estimate === null || index < slots.length ? null : toEstimateFigures(estimate, form, side).rate, formatInAllZones),
  };
}
