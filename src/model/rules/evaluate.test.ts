import { NO_REASONS, type PriceChecks } from '../checks/judge-prices.ts';
import { describe, expect, it } from 'vitest';
import type { DeskRule, FundingRule, MarketRule, Rule } from '#contract/desk/rules.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { DeskProducts } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Source } from '../response.ts';
import { describeReading } from './describe-rule.ts';
import { describeRule } from './rule-sentence.ts';
import { evaluate } from './evaluate.ts';
import type { DeskReading, RuleData } from './readings.ts';

const common: Pick<Rule, 'id' | 'name' | 'enabled' | 'severity' | 'channels' | 'for_seconds'> = {
  id: 'r',
  name: 'R',
  enabled: true,
  severity: 'info',
  channels: [],
  for_seconds: 0,
};
const unread = { missing: 'Not read.' };
const desk: DeskReading = {
  ageOf: () => 30,
  unproven: [],
  drift: [],
  budget: { requests: 200, used: 190 },
  away: null,
  contact: { isInDoubt: false, lastResponseAt: null },
  gaps: [],
};
const data: RuleData = {
  now: 1_000_000,
  venueNow: Date.parse('2026-08-18T07:30:00Z'),
  working: unread,
  activity: unread,
  market: unread,
  perpetuals: unread,
  fundingOf: () => ({ settled: unread, predicted: unread }),
  desk,
};
const say = (rule: Rule, some: Partial<RuleData> = {}) => evaluate(rule, { ...data, ...some }, () => true);

describe('Perpdesk itself', () => {
  const rule = (some: object): DeskRule => ({ ...common, about: 'desk', measure: 'venue_away', ...some });

  it.each([
    [{ measure: 'budget_left', comparison: 'under', value: 10, unit: 'percent' }, {}, true],
    [{ measure: 'budget_left', comparison: 'under', value: 10, unit: 'percent' }, { budget: null }, false],
    [{ measure: 'data_age', data: 'working-orders', comparison: 'over', value: 29, unit: 'seconds' }, {}, true],
    [{ measure: 'venue_away' }, { away: 'It timed out.' }, true],
    [{ measure: 'incomplete' }, { unproven: ['Two parts overlap.'] }, true],
    [{ measure: 'drift' }, {}, false],
    [{ measure: 'journal_gap', window_seconds: 60 }, { gaps: [{ from: 0, to: 900_000 }] }, false],
    [{ measure: 'journal_gap', window_seconds: 600 }, { gaps: [{ from: 0, to: 900_000 }] }, true],
  ])('%j is so or not', (some, reading, holds) => {
    expect(say(rule(some), { desk: { ...desk, ...reading } })).toMatchObject([{ group: '', holds }]);
  });

  it('says why it knows nothing', () => {
    expect(say(rule({ measure: 'incomplete' }), { desk: { ...desk, unproven: unread } })).toBe(unread);
    expect(
      say(rule({ measure: 'data_age', data: 'funding', comparison: 'over', value: 1, unit: 'seconds' }), {
        desk: { ...desk, ageOf: () => unread },
      }),
    ).toBe(unread);
  });
});

describe('funding', () => {
  const rule = (some: object): FundingRule =>
    ({
      ...common,
      about: 'funding',
      base_symbol: 'BTCUC',
      comparison: 'over',
      value: 0.01,
      unit: 'percent',
      ...some,
    }) as FundingRule;
  const print = (end: string, rate: number) => ({
    ...sampleResponses.fundingRates.data[0],
    funding_rate: rate,
    interval_start: `${end.slice(0, 11)}00:00:00Z`,
    interval_end: end,
  });
  const settledOf = (prints: readonly object[]) =>
    createParser(ENDPOINTS.fundingRates.response).strict(JSON.stringify({ data: prints, pagination: {} })).data;
  const reading = (prints: readonly object[]) => ({ settled: settledOf(prints), predicted: unread });
  const [newest, before] = ['2026-08-18T08:00:00Z', '2026-08-17T08:00:00Z'];

  it('compares the newest settled rate exactly, in percent', () => {
    const fundingOf = () => reading([print(before, 1), print(newest, 0.0001)]);
    expect(say(rule({ measure: 'settled_rate' }), { fundingOf })).toMatchObject([{ holds: false }]);
    expect(say(rule({ measure: 'settled_rate', comparison: 'over', value: 0.0099 }), { fundingOf })).toMatchObject([
      { holds: true },
    ]);
  });

  it('finds the difference of two of the same interval', () => {
    const fundingOf = (symbol: string) => reading([print(newest, symbol === 'BTCUC' ? 0.0003 : 0.0001)]);
    expect(say(rule({ measure: 'difference', against: 'ETHUI', value: 0.019 }), { fundingOf })).toMatchObject([
      { holds: true },
    ]);
    expect(
      say(rule({ measure: 'difference', against: 'ETHUI' }), {
        venueNow: null,
        fundingOf: (symbol) => reading([print(symbol === 'BTCUC' ? newest : before, 0)]),
      }),
    ).toMatchObject({ missing: 'The newest settled rates of the two are of different intervals.' });
  });

  it('knows nothing of two rates of one interval, or of none', () => {
    expect(
      say(rule({ measure: 'settled_rate' }), { fundingOf: () => reading([print(newest, 1), print(newest, 2)]) }),
    ).toHaveProperty('missing');
    expect(say(rule({ measure: 'settled_rate' }), { fundingOf: () => reading([]) })).toHaveProperty('missing');
    expect(say(rule({ measure: 'predicted_rate' }))).toBe(unread);
  });

  it('counts the minutes to the next funding by the exchange’s clock', () => {
    const [found] = say(rule({ measure: 'time_left', comparison: 'under', value: 31, unit: 'minutes' })) as readonly {
      readonly holds: boolean;
    }[];
    expect(found).toMatchObject({ holds: true });
    expect(say(rule({ measure: 'time_left' }), { venueNow: null })).toHaveProperty('missing');
  });
});

describe('the market', () => {
  const rule = (some: object): MarketRule => ({
    ...common,
    about: 'market',
    measure: 'volume',
    filter: {},
    comparison: 'over',
    value: 0,
    unit: 'contracts',
    ...some,
  });
  const [spec] = sampleResponses.productSpecs;
  const [row] = sampleResponses.productDataAll;
  const source: Source = {
    endpoint: 'productDataAll',
    target: '',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'unknown',
    requestId: null,
  };
  const directory = createParser(DeskProducts, 'products').strict(
    JSON.stringify({ source: 'product/specs', read_at: '2026-08-18T00:00:00Z', products: [spec] }),
  );
  const market = (fields: object, reasons: PriceChecks['reasons'] = NO_REASONS) => ({
    products: directory.products,
    checksOf: () => ({
      checks: { comparisons: [], reasons },
      check: { verdict: 'unchecked' as const, comparison: null, reason: null },
    }),
    data: {
      ...source,
      value:
        createParser(ENDPOINTS.productDataAll.response).tolerant(
          JSON.stringify([{ ...row, product_id: spec.product_id, ...fields }]),
        ).value ?? [],
    },
  });

  it('is looked at product by product', () => {
    expect(say(rule({}), { market: market({ volume: 7 }) })).toMatchObject([
      { group: spec.symbol, holds: true, evidence: { total: 1 } },
    ]);
    expect(say(rule({ filter: { base_symbol: 'NONE' } }), { market: market({ volume: 7 }) })).toEqual([]);
  });

  it('has no value where there is none, and none is known where it is withheld', () => {
    expect(say(rule({}), { market: market({ volume: null }) })).toMatchObject([{ holds: false, value: null }]);
    expect(say(rule({}), { market: market({ volume: -1 }) })).toMatchObject([{ holds: null, value: null }]);
  });

  it('has no known value where the checks doubt what it is computed from', () => {
    const doubt = 'It stands alone.';
    const moved = {
      last_price: 900,
      last_price_time: '2026-08-18T10:00:00Z',
      settlement_price: 1_000,
      settlement_time: '2026-08-17T21:00:00Z',
      price_change: -100,
      low_price: 800,
      high_price: 1_000,
    };
    expect(say(rule({}), { market: market({ volume: 7 }, new Map([['session volume', doubt]])) })).toMatchObject([
      { holds: null, value: null, because: doubt },
    ]);
    expect(
      say(rule({ measure: 'price_change', unit: 'percent' }), { market: market(moved, new Map([['prices', doubt]])) }),
    ).toMatchObject([{ holds: null, value: null, because: doubt }]);
    expect(
      say(rule({ measure: 'price_change', unit: 'percent' }), { market: market({ ...moved, last_price: 1_200 }) }),
    ).toMatchObject([{ holds: null, because: expect.stringContaining('outside the low and high') as string }]);
  });

  it('moves since the settlement, up or down', () => {
    const moved = market({
      last_price: 900,
      last_price_time: '2026-08-18T10:00:00Z',
      settlement_price: 1_000,
      settlement_time: '2026-08-17T21:00:00Z',
      price_change: -100,
      low_price: 800,
      high_price: 1_000,
    });
    const change = { measure: 'price_change', unit: 'percent', value: 9.9 };
    expect(say(rule({ ...change, comparison: 'beyond' }), { market: moved })).toMatchObject([{ holds: true }]);
    expect(say(rule({ ...change, comparison: 'over' }), { market: moved })).toMatchObject([{ holds: false }]);
    expect(say(rule({ ...change, comparison: 'beyond' }), { market: market({ price_change: null }) })).toMatchObject([
      { holds: false },
    ]);
  });
});

describe('sentences', () => {
  it('say each suggestion', () => {
    expect(RULE_SUGGESTIONS.map((rule) => describeRule(rule))).toMatchInlineSnapshot(`
      [
        "When the exchange is unreachable for 30 seconds, raise a critical alert.",
        "When the working orders are older than 2 minutes, raise a critical alert.",
        "When the completeness of the working set is unproven for 1 minute, raise a warning.",
        "When the journal has a gap within the last hour, raise a warning.",
        "When less than 10 % of the request budget is left for 1 minute, raise a warning.",
        "When an account has at least 1 working order that repeats another, raise a warning.",
        "When an account has a working order more than 20 % from the market for 5 minutes, raise a warning.",
        "When the gross underlying notional of an account is over 10,000,000 USD for 1 minute, raise a warning.",
        "When there are no orders placed within 30 minutes, raise a warning.",
        "When the price of a perpetual is more than 5 % away from its settlement, raise an info alert.",
        "When the settled rate of a perpetual changes sign, raise an info alert.",
        "When the settled rate of a perpetual is beyond ±50 % APR, raise an info alert.",
      ]
    `);
  });

  it('say what was found', () => {
    const [first] = say({
      ...common,
      about: 'desk',
      measure: 'budget_left',
      comparison: 'under',
      value: 10,
      unit: 'percent',
    }) as readonly Parameters<typeof describeReading>[1][];
    expect(
      first &&
        describeReading(
          { ...common, about: 'desk', measure: 'budget_left', comparison: 'under', value: 10, unit: 'percent' },
          first,
        ),
    ).toBe('Request budget left: 5 %, under 10 %.');
  });
});
