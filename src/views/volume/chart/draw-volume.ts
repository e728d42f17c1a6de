import { PERIOD_LABELS, WHOLE_FIRST_BAR, type Period } from '#domain/bars.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { countOf } from '#domain/format-count.ts';
import { formatDay } from '#domain/format-time.ts';
import { toStackedDays, type StackedDay } from '#domain/stacked-days.ts';
import { toVoiBars, type VoiBar } from '#domain/voi-bars.ts';
import type { Picture, Scale } from '#ui/chart/picture.ts';
import { withNotes } from '#ui/chart/with-provenance.ts';
import { toStackedPicture } from './to-stacked-picture.ts';
import { findPercentBase, toTotalPicture } from './to-total-picture.ts';
import type { VoiResponse } from '../use-voi.ts';
import { createStackedProvenance, createTotalProvenance, FIELDS } from './volume-provenance.ts';
import type { VolumeUnit } from './volume-text.ts';

interface Drawn {
  readonly picture: Picture;
  /** What has to be known to read it right. */
  readonly remarks: readonly string[];
}

interface TotalOptions {
  readonly unit: VolumeUnit;
  readonly period: Period;
  readonly scale: Scale;
}

/** One product, or the venue's total of several. */
export function drawTotal(answer: VoiResponse, { unit, period, scale }: TotalOptions): Drawn {
  const bars = toVoiBars(answer.value, period);
  const base = scale === 'percent' ? findPercentBase(bars, unit) : null;
  return {
    picture: withNotes(toTotalPicture(bars, { unit, period, base }), createTotalProvenance(answer, bars, unit)),
    remarks: [PERIOD_LABELS[period], ...(period === '1D' ? [] : [WHOLE_FIRST_BAR]), ...(scale === 'percent' ? [describePercent(base)] : [])],
  };
}

/** Several products upon each other, each by its own answer. */
export function drawStacked(answer: VoiResponse, products: readonly NamedProduct[], unit: VolumeUnit): Drawn {
  const [volume, openInterest] = FIELDS[unit];
  const stack = { volume: toStackedDays(answer.value, products, volume), openInterest: toStackedDays(answer.value, products, openInterest) };
  return {
    picture: withNotes(toStackedPicture(stack, products, unit), createStackedProvenance(answer, products, stack.openInterest, unit)),
    remarks: [PERIOD_LABELS['1D'], ...describeWithheld(stack.openInterest, products)],
  };
}

function describePercent(base: VoiBar | null): string {
  const day = base?.openInterestDate ?? null;
  return day === null ? 'Open interest begins with none, which has no percent: it is drawn as it is.' : `Open interest in percent from that of ${formatDay(day)}; volume as it is.`;
}

function describeWithheld(days: readonly StackedDay[], products: readonly NamedProduct[]): readonly string[] {
  const withheld = days.filter(({ missing }) => missing.length > 0);
  const last = withheld.at(-1);
  if (last === undefined) return [];
  const names = last.missing.map((place) => products[place]?.name ?? '').join(', ');
  const when = withheld.length === 1 ? `of ${formatDay(last.date)} is withheld` : `of ${countOf(withheld.length, 'day')} is withheld, last of ${formatDay(last.date)}`;
  return [`Open interest ${when}: that of ${names} is missing, and without it the others would seem to be all.`];
}
