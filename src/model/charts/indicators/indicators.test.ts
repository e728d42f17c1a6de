import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { fromFixed, logarithmOf, ONE, rootOf, toFixed } from './fixed-point.ts';
import numbers from './indicator-numbers.json' with { type: 'json' };
import { readIndicators, PRICE_INDICATORS } from './indicator-spec.ts';
import { computeIndicator, type ComputedLine, type PriceIndicator } from './price-indicators.ts';
import { countBarsAYear, type SettledSlots } from './settled-bars.ts';

const BARS: SettledSlots = numbers.bars.map(({ high, low, settlement }, index) => ({
  index,
  high: toFixed(high),
  low: toFixed(low),
  settlement: toFixed(settlement),
}));
const PERPETUAL = countBarsAYear({ period: '1D', daily: [] }, 'perpetual');

/** Computes an indicator that is written as in the address. */
function compute(word: string, slots: SettledSlots = BARS, barsAYear = PERPETUAL): readonly ComputedLine[] {
  const [spec] = readIndicators([word], PRICE_INDICATORS).specs;
  return computeIndicator(spec?.kind as PriceIndicator, spec?.parameters ?? [], { slots, barsAYear }).lines;
}

const valuesOf = (word: string, slots?: SettledSlots) => compute(word, slots)[0]?.values ?? [];

/** Cut off after 30 digits at each of some hundred steps, a value has at least these digits. */
const TOLERANCE = '1e-22';

function expectNear(found: ComputedLine['values'], wanted: readonly (string | null)[]): void {
  expect(found.map((value) => value === null)).toEqual(wanted.map((value) => value === null));
  found.forEach((value, index) => {
    if (value !== null)
      expect(
        fromFixed(value)
          .minus(wanted[index] ?? '')
          .abs()
          .lt(TOLERANCE),
        `bar ${String(index)}: ${fromFixed(value).toFixed()} is not ${String(wanted[index])}`,
      ).toBe(true);
  });
}

describe('the numbers that Python computes', () => {
  it.each(['sma:20', 'ema:20', 'rsi:14', 'atr:14', 'vol:30', 'dd'] as const)('are those of %s', (word) => {
    expectNear(valuesOf(word), numbers[word]);
  });

  it.each(['bb:20:2', 'bb:7:2.5', 'macd:12:26:9'] as const)('are those of each line of %s', (word) => {
    for (const { figure, values } of compute(word))
      expectNear(values, (numbers[word] as Readonly<Record<string, readonly (string | null)[]>>)[figure ?? ''] ?? []);
  });
});

describe('the warm-up', () => {
  it.each([
    ['sma:20', [20]],
    ['ema:20', [20]],
    ['bb:20:2', [20, 20, 20]],
    ['rsi:14', [15]],
    ['macd:12:26:9', [26, 34, 34]],
    ['atr:14', [15]],
    ['vol:30', [31]],
    ['dd', [1]],
  ] as const)('of %s has no value, and the first one is where it is said to be', (word, bars) => {
    const lines = compute(word);
    expect(lines.map(({ firstBar }) => firstBar)).toEqual(bars);
    expect(lines.map(({ values }) => values.findIndex((value) => value !== null) + 1)).toEqual(bars);
    const enough = bars.at(-1) ?? 0;
    expect(
      compute(word, BARS.slice(0, enough - 1))
        .at(-1)
        ?.values.every((value) => value === null),
    ).toBe(true);
  });
});

describe('sessions without a settled bar', () => {
  const placed = (slots: readonly (SettledSlots[number] | null)[]): SettledSlots =>
    slots.map((slot, index) => (slot !== null && typeof slot === 'object' ? { ...slot, index } : (slot ?? 'unknown')));

  it.each(['sma:20', 'ema:20', 'rsi:14', 'atr:14', 'vol:30', 'dd'])(
    'do not count in %s if nothing traded: there is no value, and the others are as without them',
    (word) => {
      const values = valuesOf(word, placed([...BARS.slice(0, 40), 'no trades', 'no trades', ...BARS.slice(40)]));
      expect(values.slice(40, 42)).toEqual([null, null]);
      expect(values.toSpliced(40, 2)).toEqual(valuesOf(word));
    },
  );

  it.each(['sma:20', 'ema:20', 'bb:20:2', 'rsi:14', 'macd:12:26:9', 'atr:14', 'vol:30', 'dd'])(
    'end %s if their price is unknown: it begins anew, with its whole warm-up',
    (word) => {
      const values = valuesOf(word, placed([...BARS.slice(0, 40), 'unknown', ...BARS.slice(40)]));
      expect(values.slice(0, 40)).toEqual(valuesOf(word).slice(0, 40));
      expect(values.slice(40)).toEqual([null, ...valuesOf(word, placed(BARS.slice(40)))]);
    },
  );

  it('are left out if they are in progress', () => {
    expect(valuesOf('sma:20', [...BARS, 'in progress']).slice(-2)).toEqual([valuesOf('sma:20').at(-1), null]);
  });
});

describe('prices without a share or a logarithm', () => {
  const at = (...settlements: readonly string[]): SettledSlots =>
    settlements.map((text, index) => ({ index, high: toFixed(text), low: toFixed(text), settlement: toFixed(text) }));

  it.each(['vol:2', 'dd'])('have no %s, as those of a spread below zero', (word) => {
    expect(valuesOf(word, at('-5', '0', '-5', '-10'))).toEqual([null, null, null, null]);
  });

  it('have averages and bands, also around zero', () => {
    const [upper, middle, lower] = compute('bb:2:1', at('-5', '5')).map(({ values }) => values[1]);
    expect([upper, middle, lower]).toEqual([5n * ONE, 0n, -5n * ONE]);
  });

  it('have no relative strength while nothing changes', () => {
    expect(valuesOf('rsi:2', at('7', '7', '7', '8'))).toEqual([null, null, null, 100n * ONE]);
  });
});

describe('the bars of a year', () => {
  const day = (date: string) => ({ date: date as Day }) as Parameters<typeof countBarsAYear>[0]['daily'][number];
  const weekdays = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(2025, 0, 1 + index)))
    .filter((date) => ![0, 6].includes(date.getUTCDay()))
    .map((date) => day(date.toISOString().slice(0, 10)));

  it('are counted from the sessions of a product that does not trade every day', () => {
    expect(countBarsAYear({ period: '1D', daily: weekdays }, 'future')?.how).toBe(
      '261.0 sessions a year, as this product traded 261 in 365 days',
    );
    expect(countBarsAYear({ period: '1D', daily: weekdays.slice(0, 19) }, 'future')).toBeNull();
  });

  it('are 365 for a perpetual, and those of the calendar for weeks and months', () => {
    const howOf = (period: '1D' | '1W' | '1M') => countBarsAYear({ period, daily: [] }, 'perpetual')?.how;
    expect([howOf('1D'), howOf('1W'), howOf('1M')]).toEqual([
      '365 sessions a year, as a perpetual has',
      '365 ÷ 7 weeks a year',
      '12 months a year',
    ]);
  });
});

describe('numbers with 30 digits', () => {
  it.each(['0', '-0.5', '100000.25', '1e-7', '-1.5E3', '0.0000000000000000000000000000019'])('read %s', (text) => {
    const value = fromFixed(toFixed(text)).toFixed();
    expect(value).toBe(
      {
        '1e-7': '0.0000001',
        '-1.5E3': '-1500',
        '0.0000000000000000000000000000019': '0.000000000000000000000000000001',
      }[text] ?? text,
    );
  });

  it.each([0n, 1n, 2n, 3n, 4n, 15n, 16n, 17n, 10n ** 60n - 1n, 10n ** 60n])('cut off the root of %s', (square) => {
    const root = rootOf(square);
    expect(root * root <= square && (root + 1n) * (root + 1n) > square).toBe(true);
  });

  it.each(['0.001', '0.5', '0.97', '1', '1.03', '2', '1000'])('have the logarithm of %s', (text) => {
    expect(fromFixed(logarithmOf(toFixed(text))).toNumber()).toBeCloseTo(Math.log(Number(text)), 13);
  });
});
