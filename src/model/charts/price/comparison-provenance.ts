import type { Day } from '#contract/exchange/day.ts';
import { orderSessions } from '../../price/bars.ts';
import type { RunningChange } from '../../price/running-change.ts';
import { asUsd } from '../../units/conversions.ts';
import { describeFigure } from '../../format/provenance.ts';
import { deriveQuantity, toQuantity, type Quantity } from '../../units/quantity.ts';
import type { ReadoutProvenance } from '../with-provenance.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import type { Prices } from './slot-provenance.ts';
import type { Comparison } from './to-comparison.ts';

interface NamedPrices {
  readonly name: string;
  readonly prices: Prices;
  readonly running: RunningChange | null;
}

export function createComparisonProvenance(
  { base, picture: { times } }: Comparison,
  products: readonly NamedPrices[],
): ReadoutProvenance {
  const entries = products.flatMap(({ name, prices, running }) => {
    const read = (day: Day): Quantity | null => toSettlement(prices, day);
    const indexOf = (day: Day): Quantity | null => toIndex(read(day), read(base), base);
    const toIndexAt = (day: Day): Quantity | null =>
      running?.date === day ? toRunningIndex(indexOf(running.since), running) : indexOf(day);
    const dayAt = (index: number): Day => String(times[index]) as Day;
    return [
      [`${name} settlement`, (index: number) => describeFigure(read(dayAt(index)), formatInAllZones)],
      [`${name} rebased`, (index: number) => describeFigure(toIndexAt(dayAt(index)), formatInAllZones)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

function toSettlement(prices: Prices, day: Day): Quantity | null {
  const point = orderSessions(prices.value).find(({ date }) => date === day);
  return point === undefined ? null : toQuantity({ source: prices, dataTime: day }, point, 'settlementPrice', asUsd);
}

function toIndex(now: Quantity | null, first: Quantity | null, base: Day): Quantity | null {
  if (now === null || first === null) return null;
  return deriveQuantity('fraction', `Settlement × 100 ÷ settlement of ${base}.`, [now, first], ([to, from]) =>
    to && from && !from.isZero() ? to.times(100).div(from) : null,
  );
}

function toRunningIndex(settled: Quantity | null, { since, fraction }: RunningChange): Quantity | null {
  return (
    settled &&
    deriveQuantity(
      'fraction',
      `Rebased settlement of ${since} × (1 + change of the last price since it).`,
      [settled, fraction],
      ([from, change]) => (from && change ? from.plus(from.times(change)) : null),
    )
  );
}
