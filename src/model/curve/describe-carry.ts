import { formatNumber, formatPercent } from '../format/number.ts';
import type { Decimal } from '../units/decimal.ts';
import type { CarryDays, CarryMonth, CarryUnit, PerpetualFunding } from './carry-months.ts';
import type { CurveLeg } from './curve-months.ts';

/** `Long PBTCUCZ50, short BUSZ26`. */
export function describePosition({ side, month }: CarryMonth, perpetual: CurveLeg | null): string {
  const other = perpetual?.symbol ?? 'the perpetual';
  return side === 'cash' ? `Long ${other}, short ${month.symbol}` : `Short ${other}, long ${month.symbol}`;
}

const SIGNED = { digits: 2, signed: true } as const;

export function formatCarry(value: Decimal | null, unit: CarryUnit): string {
  return unit === 'year' ? formatPercent(value, SIGNED) : formatNumber(value, SIGNED);
}

/** The unit of figures, as a heading has it. */
export const CARRY_UNIT_NAMES: Readonly<Record<CarryUnit, string>> = {
  year: '% a year',
  contract: 'USD a contract',
  notional: 'USD',
};

const UNITS_IN_SENTENCE: Readonly<Record<CarryUnit, string>> = {
  year: '% a year',
  contract: 'USD per contract until expiry',
  notional: 'USD until expiry',
};

/**
 * Says which month kept the most for its time at the mean settled rate, so that the farthest is not the best only because
 * it takes longest; null if none has both its basis and funding.
 */
export function describeBestCarry(
  all: readonly CarryMonth[],
  perpetual: CurveLeg | null,
  unit: CarryUnit,
  days: CarryDays,
): string | null {
  const [best] = all
    .flatMap((carry) => {
      const value = carry.realised?.value ?? null;
      return value === null || carry.minutes <= 0
        ? []
        : [{ ...carry, pace: unit === 'year' ? value : value.div(carry.minutes) }];
    })
    .toSorted((a, b) => b.pace.comparedTo(a.pace));
  if (best === undefined) return null;
  const figure = (quantity: CarryMonth['basis']): string => formatCarry(quantity?.value ?? null, unit);
  return (
    `${describePosition(best, perpetual)}: ${figure(best.realised)} ${UNITS_IN_SENTENCE[unit]}, of which basis ` +
    `${figure(best.basis)} and funding ${figure(best.realisedFunding)} at the mean rate of ${days} days`
  );
}

/** Says where the premium has been, which a position that is held to expiry is left with. */
export function describePremium({ premium, rates }: PerpetualFunding, days: CarryDays): string {
  if (premium === null)
    return `No funding time of the last ${days} days has both mark and index, so the range of the premium is unknown.`;
  const percent = (value: Decimal | null): string => formatPercent(value, { digits: 3, signed: true });
  return (
    `Over ${days} days the mark was ${percent(premium.low.value)} to ${percent(premium.high.value)} % from the index, at ` +
    `${String(premium.count)} of ${String(rates)} settled funding times.`
  );
}
