import type { Decimal } from '#domain/decimal.ts';
import { toDecimal } from '#domain/decimal.ts';
import { formatCompact, formatNumber } from '#domain/format-number.ts';
import { formatDay } from '#domain/format-time.ts';
import type { Day } from '#contract/day.ts';

export type VolumeUnit = 'contracts' | 'usd';

export const UNIT_TEXTS: Readonly<Record<VolumeUnit, string>> = { contracts: 'contracts', usd: 'USD' };

export function formatAmount(value: Decimal | null): string {
  return formatNumber(value, { digits: 0 });
}

/** For the axis: it goes on below zero, where there is nothing that could be told. */
export function formatAxis(value: number): string {
  return value < 0 ? '' : formatCompact(toDecimal(String(Math.round(value * 100) / 100)));
}

export function describeDay(day: Day | undefined): string {
  return day === undefined ? '' : formatDay(day);
}
