import { PERIOD_LABELS, COVERAGE_OF_BARS, type Period } from '#model/time/period.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { countOf } from '#model/format/count.ts';
import { formatDay } from '#model/format/day.ts';
import { toStackedDays, type StackedDay } from '#model/voi/stacked-days.ts';
import { toVoiBars, type VoiBar } from '#model/voi/voi-bars.ts';
import type { Picture, Scale } from '#model/charts/picture.ts';
import { withProvenance } from '#model/charts/with-provenance.ts';
import { toStackedPicture } from '#model/charts/volume/to-stacked-picture.ts';
import { findPercentBase, toTotalPicture } from '#model/charts/volume/to-total-picture.ts';
import type { VoiResponse } from '../shared/use-voi.ts';
import { createStackedProvenance, createTotalProvenance } from './volume-provenance.ts';
import { FIELDS, type VolumeUnit } from '#model/charts/volume/volume-text.ts';

interface Drawn {
  readonly picture: Picture;
  /** Needed to read the chart correctly. */
  readonly remarks: readonly string[];
}

interface TotalOptions {
  readonly unit: VolumeUnit;
  readonly period: Period;
  readonly scale: Scale;
}

/** One product, or the exchange's total of several. */
export function drawTotal(response: VoiResponse, { unit, period, scale }: TotalOptions): Drawn {
  const bars = toVoiBars(response.value, period);
  const base = scale === 'percent' ? findPercentBase(bars, unit) : null;
  return {
    picture: withProvenance(toTotalPicture(bars, { unit, period, base }), createTotalProvenance(response, bars, unit)),
    remarks: [
      PERIOD_LABELS[period],
      ...(period === '1D' ? [] : [COVERAGE_OF_BARS]),
      ...(scale === 'percent' ? [describePercent(base)] : []),
    ],
  };
}

/** Several products stacked, each from its own response. */
export function drawStacked(response: VoiResponse, products: readonly NamedProduct[], unit: VolumeUnit): Drawn {
  const [volume, openInterest] = FIELDS[unit];
  const stack = {
    volume: toStackedDays(response.value, products, volume),
    openInterest: toStackedDays(response.value, products, openInterest),
  };
  return {
    picture: withProvenance(
      toStackedPicture(stack, products, unit),
      createStackedProvenance(response, products, stack.openInterest, unit),
    ),
    remarks: [PERIOD_LABELS['1D'], ...describeHidden(stack.openInterest, products)],
  };
}

function describePercent(base: VoiBar | null): string {
  const day = base?.openInterestDate ?? null;
  return day === null
    ? 'No percent scale: there is no first open interest above zero.'
    : `Open interest: percent change from ${formatDay(day)}. Volume: absolute.`;
}

function describeHidden(days: readonly StackedDay[], products: readonly NamedProduct[]): readonly string[] {
  const hidden = days.filter(({ missing }) => missing.length > 0);
  const last = hidden.at(-1);
  if (last === undefined) return [];
  const names = last.missing.map((place) => products[place]?.name ?? '').join(', ');
  const when =
    hidden.length === 1 ? formatDay(last.date) : `${countOf(hidden.length, 'day')}, last on ${formatDay(last.date)}`;
  return [`Total open interest not shown for ${when}: ${names} missing.`];
}
