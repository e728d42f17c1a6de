import type { Decimal } from '../../units/decimal.ts';
import { toDecimal } from '../../units/decimal.ts';
import { formatCompact, formatNumber } from '../../format/number.ts';
import { formatDay } from '../../format/day.ts';
import type { VoiField } from '../../voi/voi-rows.ts';
import type { Day } from '#contract/exchange/day.ts';

export type VolumeUnit = 'contracts' | 'usd';

/** The fields with the figures in a unit. */
export const FIELDS: Readonly<Record<VolumeUnit, readonly [volume: VoiField, openInterest: VoiField]>> = {
  contracts: ['volume', 'openInterest'],
  usd: ['notionalVolume', 'notionalOpenInterest'],
};

export const UNIT_TEXTS: Readonly<Record<VolumeUnit, string>> = { contracts: 'contracts', usd: 'USD' };

export function formatAmount(value: Decimal | null): string {
  return formatNumber(value, { digits: 0 });
}

/** A figure that is withheld; its provenance gives the reason. */
export const NOT_AVAILABLE = 'n/a';

/** The axis extends below zero, where labels would be wrong. */
export function formatAxis(value: number): string {
  return value < 0 ? '' : formatCompact(toDecimal(String(Math.round(value * 100) / 100)));
}

export function describeDay(day: Day | undefined): string {
  return day === undefined ? '' : formatDay(day);
}
