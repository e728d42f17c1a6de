import { describe, expect, it } from 'vitest';
import type { FundingRule } from '#contract/desk/rules.ts';
import type { RuleUnit } from '#contract/desk/rule-measures.ts';
import { FundingRateData } from '#contract/exchange/market-data.ts';
import { list } from '#contract/exchange/schema.ts';
import { createParser } from '#contract/parse/parse.ts';
import { describeReading } from './describe-rule.ts';
import { evaluateFunding, type FundingData } from './evaluate-funding.ts';
import { isMissing, type SubjectReading } from './readings.ts';

const HOUR_MS = 3_600_000;
const SETTLED_AT = Date.parse('2026-11-30T08:00:00Z');
const NOT_READ = { missing: 'Not read.' };

const rule = (some: object): FundingRule => ({
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'funding', measure: 'flip' },
  ...some,
});

interface Interval {
  readonly rate: string;
  /** How many hours after the newest settlement it ends. */
  readonly end?: number;
  readonly hours?: number;
  readonly mark?: string;
}

/** Settled rates as the exchange writes them, newest first. */
function settled(...intervals: readonly Interval[]): readonly FundingRateData[] {
  const at = (hours: number): string => new Date(SETTLED_AT + hours * HOUR_MS).toISOString().replace('.000', '');
  const rows = intervals.map(
    ({ rate, end = 0, hours = 8, mark = '100000' }) =>
      `{"product_id":1,"price_index":100000,"mark_price":${mark},"interest_rate":0.0001,"funding_rate":${rate},` +
      `"interval_start":"${at(end - hours)}","interval_end":"${at(end)}"}`,
  );
  return createParser(list(FundingRateData)).strict(`[${rows.join(',')}]`);
}

function dataOf(rates: Readonly<Record<string, readonly FundingRateData[]>>, hoursLater = 1): FundingData {
  return {
    venueNow: SETTLED_AT + hoursLater * HOUR_MS,
    perpetuals: Object.keys(rates),
    fundingOf: (symbol) => ({ settled: rates[symbol] ?? NOT_READ, predicted: NOT_READ }),
  };
}

function evaluated(given: FundingRule, data: FundingData): readonly SubjectReading[] {
  const found = evaluateFunding(given, data);
  if (isMissing(found)) throw new Error(found.missing);
  return found;
}

const sentencesOf = (given: FundingRule, data: FundingData): readonly string[] =>
  evaluated(given, data).map((reading) => describeReading(given, reading));

const over = (value: number, unit: RuleUnit = 'percent') => ({ comparison: 'over', value, unit }) as const;

describe('a rate in the unit of the rule', () => {
  // Computed by hand: 0.000137 of 8 h is 0.0137 %, three a day are 15.0015 % a year; of 4 h, twice as much.
  it.each([
    [8, 'percent', 0.0137, '+0.0137 % per 8 h'],
    [8, 'percent per 8 h', 0.0137, '+0.0137 % per 8 h'],
    [8, 'percent APR', 15.0015, '+15.00 % APR'],
    [4, 'percent', 0.0137, '+0.0137 % per 4 h'],
    [4, 'percent per 8 h', 0.0274, '+0.0274 % per 8 h'],
    [4, 'percent APR', 30.003, '+30.00 % APR'],
  ] as const)('of %d h in %s is %d exactly', (hours, unit, value, text) => {
    const data = dataOf({ BTCUC: settled({ rate: '0.000137', hours }) });
    const at = rule({ measure: 'settled_rate', base_symbol: 'BTCUC', ...over(value, unit) });
    expect(evaluated(at, data)).toMatchObject([{ holds: false, group: '' }]);
    expect(evaluated(at, data)[0]?.value?.toFixed()).toBe(String(value));
    expect(evaluated({ ...at, value: value - 0.0001 }, data)).toMatchObject([{ holds: true }]);
    expect(sentencesOf(at, data)[0]).toContain(`Settled rate of BTCUC: ${text} at 08:00 UTC, longs pay; not over`);
  });
});

describe('several perpetuals', () => {
  const rates = {
    BTCUC: settled({ rate: '0.0002' }),
    ETHUI: settled({ rate: '-0.0003' }),
    SHBUN: settled({ rate: '0.0001' }, { rate: '0.0004' }),
  };

  it('are evaluated one by one, all that the exchange lists or those that the rule lists', () => {
    const each = rule({ measure: 'settled_rate', comparison: 'beyond', value: 0.025, unit: 'percent' });
    const holdsOf = (given: FundingRule) => evaluated(given, dataOf(rates)).map(({ group, holds }) => [group, holds]);
    expect(holdsOf(each)).toEqual([
      ['BTCUC', false],
      ['ETHUI', true],
      ['SHBUN', null],
    ]);
    expect(holdsOf({ ...each, base_symbols: ['ETHUI', 'XLMUK'] })).toEqual([
      ['ETHUI', true],
      ['XLMUK', false],
    ]);
    expect(sentencesOf({ ...each, base_symbols: ['ETHUI', 'XLMUK'] }, dataOf(rates))).toEqual([
      'Settled rate of ETHUI: −0.0300 % per 8 h at 08:00 UTC, shorts pay; beyond ±0.025 %.',
      'Settled rate of XLMUK: not beyond ±0.025 %. The exchange does not list it as an active perpetual.',
    ]);
  });

  it('have one reason together if none of them is known', () => {
    const each = rule({ measure: 'predicted_rate', ...over(1) });
    expect(evaluateFunding(each, dataOf(rates))).toEqual(NOT_READ);
    expect(evaluateFunding(each, { ...dataOf(rates), perpetuals: NOT_READ })).toBe(NOT_READ);
  });

  it('are each compared with another one', () => {
    const difference = rule({ measure: 'difference', against: 'BTCUC', ...over(0) });
    expect(evaluated(difference, dataOf({ BTCUC: rates.BTCUC, ETHUI: rates.ETHUI }))).toMatchObject([
      { group: 'ETHUI', holds: false },
    ]);
    expect(sentencesOf(difference, dataOf({ BTCUC: rates.BTCUC, ETHUI: rates.ETHUI }))).toEqual([
      'Settled rate of ETHUI minus that of BTCUC: −0.0500 % per 8 h at 08:00 UTC; not over 0 %.',
    ]);
  });
});

describe('a flip', () => {
  const flip = rule({ measure: 'flip', base_symbol: 'BTCUC' });
  const flipped = { BTCUC: settled({ rate: '-0.000086' }, { rate: '0.0001', end: -8 }) };

  it('says both rates and who pays', () => {
    expect(evaluated(flip, dataOf(flipped))).toMatchObject([{ holds: true }]);
    expect(sentencesOf(flip, dataOf(flipped))).toEqual([
      'BTCUC flipped: +0.0100 to −0.0086 % per 8 h at 08:00 UTC, shorts pay.',
    ]);
  });

  it('counts for half an interval, so that the next one is another', () => {
    expect(evaluated(flip, dataOf(flipped, 3.99))).toMatchObject([{ holds: true }]);
    expect(evaluated(flip, dataOf(flipped, 4))).toMatchObject([{ holds: false }]);
  });

  it('is none to or from zero, and unknown if the interval before is', () => {
    const zero = { BTCUC: settled({ rate: '0' }, { rate: '0.0001', end: -8 }) };
    expect(evaluated(flip, dataOf(zero))).toMatchObject([{ holds: false }]);
    const gap = { BTCUC: settled({ rate: '-0.0001' }, { rate: '0.0001', end: -16 }) };
    expect(evaluateFunding(flip, dataOf(gap))).toEqual({
      missing: 'The settled rate of the interval before is not known.',
    });
  });
});

it('does not take an overdue rate for the present one', () => {
  const given = rule({ measure: 'settled_rate', base_symbol: 'BTCUC', ...over(0) });
  const rates = { BTCUC: settled({ rate: '0.0001' }) };
  expect(evaluated(given, dataOf(rates, 8.2))).toMatchObject([{ holds: true }]);
  expect(evaluateFunding(given, dataOf(rates, 8.3))).toEqual({
    missing: 'The newest settled rate is from 30 Nov 2026 08:00 UTC; that of 30 Nov 2026 16:00 UTC is missing.',
  });
});

describe('the premium of mark over index', () => {
  const premium = rule({ measure: 'premium', base_symbol: 'BTCUC', ...over(0.03) });

  it('is that of the newest settlement', () => {
    const data = dataOf({ BTCUC: settled({ rate: '0.0001', mark: '100031.5' }) });
    expect(evaluated(premium, data)[0]?.value?.toFixed()).toBe('0.0315');
    expect(sentencesOf(premium, data)).toEqual([
      'Premium of mark over index of BTCUC: +0.0315 % at 08:00 UTC; over 0.03 %.',
    ]);
  });

  it('is unknown, with the reason, where mark or index is withheld', () => {
    expect(evaluateFunding(premium, dataOf({ BTCUC: settled({ rate: '0.0001', mark: '120000' }) }))).toEqual({
      missing: expect.stringMatching(/^Mark or index is wrong: the premium is \+20\.00 %/) as string,
    });
  });
});
