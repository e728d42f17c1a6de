import { describe, expect, it } from 'vitest';
import type { FundingRule } from '#contract/desk/rules.ts';
import { tryOnRates } from './try-on-rates.ts';

const HOURS_MS = 3_600_000;
const INTERVAL_MS = 8 * HOURS_MS;
const TO = Date.parse('2026-11-30T13:41:00Z');
const DAYS = 90;
const FROM = TO - DAYS * 24 * HOURS_MS;
const NEWEST_END = Date.parse('2026-11-30T08:00:00Z');

const rule = (some: object): FundingRule => ({
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'funding', measure: 'flip' },
  ...some,
});

/** Rates that wander around zero, by a fixed rule, in millionths, oldest first; the first ended before the period. */
function wander(count: number, seed: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state % 401) - 150;
  });
}

const COUNT = 280;
const RATES: Readonly<Record<string, readonly number[]>> = { BTCUC: wander(COUNT, 7), ETHUI: wander(COUNT, 11) };

function endOf(index: number): number {
  return NEWEST_END - (COUNT - 1 - index) * INTERVAL_MS;
}

function textOf(rate: number, index: number): string {
  const at = (time: number): string => new Date(time).toISOString().replace('.000', '');
  return (
    '{"product_id":1,"price_index":100000,"mark_price":100000,"interest_rate":0.0001,' +
    `"funding_rate":${(rate / 1_000_000).toFixed(6)},` +
    `"interval_start":"${at(endOf(index) - INTERVAL_MS)}","interval_end":"${at(endOf(index))}"}`
  );
}

/** The stored rates, newest first, without those of `missing` intervals. */
const stored =
  (missing: readonly number[] = []) =>
  (symbol: string, from: number): Promise<readonly string[]> =>
    Promise.resolve(
      (RATES[symbol] ?? [])
        .flatMap((rate, index) => (endOf(index) < from || missing.includes(index) ? [] : [textOf(rate, index)]))
        .toReversed(),
    );

async function tried(given: FundingRule, missing: readonly number[] = []) {
  const span = { from: FROM, to: TO };
  const trial = await tryOnRates({
    ...{ rule: given, perpetuals: ['BTCUC', 'ETHUI'], span },
    settledRatesOf: stored(missing),
  });
  if (typeof trial === 'string') throw new Error(trial);
  return trial;
}

/** Lists the intervals of the period whose rate has another sign than the one before. */
function flipsOf(symbol: string): readonly number[] {
  const rates = RATES[symbol] ?? [];
  return rates.flatMap((rate, index) =>
    endOf(index) >= FROM && rate * (rates[index - 1] ?? 0) < 0 ? [endOf(index)] : [],
  );
}

describe('a rule about funding, tried on stored rates', () => {
  it('fires at each flip, even of one interval after another, and is over half an interval later', async () => {
    const { firings } = await tried(rule({ measure: 'flip' }));
    for (const symbol of ['BTCUC', 'ETHUI']) {
      const own = firings.filter(({ group }) => group === symbol);
      expect(flipsOf(symbol).length).toBeGreaterThan(50);
      expect(own.map(({ at }) => at)).toEqual(flipsOf(symbol));
      const toOver = ({ at, resolvedAt }: (typeof own)[number]): number => (resolvedAt ?? NaN) - at;
      expect(new Set(own.slice(0, -1).map(toOver))).toEqual(new Set([INTERVAL_MS / 2]));
    }
  });

  it('fires where the rate goes over the value and is over where it comes back', async () => {
    const over = rule({
      ...{ measure: 'settled_rate', base_symbol: 'BTCUC', comparison: 'over', value: 10, unit: 'percent APR' },
    });
    // 10 % APR are 91.3 millionths per 8 h.
    const rates = (RATES['BTCUC'] ?? []).map((rate, index) => ({ isOver: rate >= 92, end: endOf(index) }));
    const inPeriod = rates.filter(({ end }) => end >= FROM);
    const begins = inPeriod.filter(({ isOver }, index) => isOver && inPeriod[index - 1]?.isOver !== true);
    const { firings, gaps, from, to } = await tried(over);
    expect(firings.map(({ at }) => at)).toEqual(begins.map(({ end }) => end));
    expect({ gaps, from, to }).toEqual({ gaps: [], from: inPeriod[0]?.end, to: TO });
  });

  it('fires once it has held for as long as the rule says', async () => {
    const low = { measure: 'settled_rate', base_symbol: 'BTCUC', comparison: 'over', value: -1, unit: 'percent' };
    const { firings, from } = await tried(rule({ ...low, for_seconds: 3_600 }));
    expect(firings).toMatchObject([{ at: from + HOURS_MS, resolvedAt: null }]);
  });

  it('names the time without rates as a gap, and does not take the rate before for one of it', async () => {
    const missing = [COUNT - 20, COUNT - 19];
    const high = { measure: 'settled_rate', base_symbol: 'BTCUC', comparison: 'over', value: -1, unit: 'percent' };
    const { gaps } = await tried(rule(high), missing);
    expect(gaps).toEqual([{ from: endOf(COUNT - 21), to: endOf(COUNT - 19) }]);
    const { firings } = await tried(rule({ measure: 'flip', base_symbol: 'BTCUC' }), missing);
    const unknown = [...missing, COUNT - 18].map(endOf);
    expect(firings.map(({ at }) => at)).toEqual(flipsOf('BTCUC').filter((at) => !unknown.includes(at)));
  });

  it('says why it cannot be tried', async () => {
    const span = { from: FROM, to: TO };
    const tryWith = (given: FundingRule) => tryOnRates({ rule: given, perpetuals: [], span, settledRatesOf: stored() });
    expect(await tryWith(rule({ measure: 'predicted_rate' }))).toBe('Only settled rates can be tried.');
    expect(await tryWith(rule({ measure: 'flip', base_symbol: 'XLMUK' }))).toBe(
      'No settled rates of this time are stored yet.',
    );
  });
});
