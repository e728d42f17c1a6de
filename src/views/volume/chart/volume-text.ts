import type { Decimal } from '#domain/units/decimal.ts';
import { toDecimal } from '#domain/units/decimal.ts';
import { formatCompact, formatNumber } from '#domain/format/number.ts';
import { formatDay } from '#domain/format/day.ts';
import type { Day } from '#contract/day.ts';

export type VolumeUnit = 'contracts' | 'usd';

export const UNIT_TEXTS: Readonly<Record<VolumeUnit, string>> = { contracts: 'contracts', usd: 'USD' };

export function formatAmount(value: Decimal | null): string {
  return formatNumber(value, { digits: 0 });
}

/** The axis extends below zero, where labels would be wrong. */
export function formatAxis(value: number): string {
  return value < 0 ? '' : formatCompact(toDecimal(String(Math.round(value * 100) / 100)));
}

export function describeDay(day: Day | undefined): string {
  return day === undefined ? '' : formatDay(day);
}
