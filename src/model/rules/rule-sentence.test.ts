import { describe, expect, it } from 'vitest';
import { checkRule, type Rule } from '#contract/desk/rules.ts';
import { MEASURES } from '#contract/desk/rule-measures.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { describeFirings, describeRule, toRuleSentence } from './rule-sentence.ts';

const common = {
  id: 'a-rule',
  name: 'A rule',
  enabled: true,
  severity: 'warning',
  channels: [],
  for_seconds: 0,
} as const;
const all = { ...common, filter: {}, each: 'all' } as const;
const orders = (measure: string, comparison: string, value: number, unit: string, more: object = {}): Rule =>
  ({ ...all, about: 'orders', measure, comparison, value, unit, ...more }) as unknown as Rule;
const activity = (measure: string, comparison: string, value: number, more: object = {}): Rule =>
  ({
    ...all,
    about: 'activity',
    measure,
    window_seconds: 300,
    comparison,
    value,
    unit: 'orders',
    ...more,
  }) as unknown as Rule;
const market = (measure: string, comparison: string, value: number, unit: string, filter: object = {}): Rule =>
  ({ ...common, about: 'market', measure, filter, comparison, value, unit }) as unknown as Rule;
const funding = (measure: string, more: object = {}): Rule =>
  JSON.parse(JSON.stringify({ ...common, about: 'funding', measure, base_symbol: 'BTCUC', ...more })) as Rule;
/** Leaves out the one perpetual. */
const everyPerpetual = { base_symbol: undefined };
const desk = (measure: string, more: object = {}): Rule =>
  ({ ...common, about: 'desk', measure, ...more }) as unknown as Rule;
const percent = (comparison: string, value: number) => ({ comparison, value, unit: 'percent' });

const SENTENCES: readonly (readonly [rule: Rule, sentence: string])[] = [
  [
    orders('count', 'over', 1_000, 'orders', {
      each: 'account',
      for_seconds: 120,
      severity: 'critical',
      channels: ['ops-webhook'],
    }),
    'When an account has more than 1,000 working orders for 2 minutes, raise a critical alert and notify ops-webhook.',
  ],
  [
    orders('count', 'over', 1, 'orders', {
      channels: ['ops'],
      escalate: [
        { after_seconds: 300, channels: ['night'] },
        { after_seconds: 900, channels: ['lead', 'chat'] },
      ],
      repeat_seconds: 600,
    }),
    'When there is more than 1 working order, raise a warning and notify ops; until it is acknowledged, also night after 5 minutes, then lead and chat after 15 minutes, and again every 10 minutes.',
  ],
  [
    orders('count', 'over', 1, 'orders', { channels: ['ops'], repeat_seconds: 600 }),
    'When there is more than 1 working order, raise a warning and notify ops; until it is acknowledged, again every 10 minutes.',
  ],
  [orders('count', 'under', 1, 'orders'), 'When there are no working orders, raise a warning.'],
  [orders('count', 'over', 1, 'orders'), 'When there is more than 1 working order, raise a warning.'],
  [
    orders('quantity', 'over', 500, 'contracts', { filter: { symbol: 'PBTCUCZ50', account_id: 'NORD-105' } }),
    'Among orders in PBTCUCZ50 of account NORD-105: when the working quantity is over 500 contracts, raise a warning.',
  ],
  [
    orders('notional', 'over', 10_000_000, 'USD', { each: 'firm', expression: 'order.side == "Bid"' }),
    'Among orders where order.side == "Bid": when the gross underlying notional of a firm is over 10,000,000 USD, raise a warning.',
  ],
  [
    orders('oldest_age', 'over', 86_400, 'seconds', { each: 'connection' }),
    'When the oldest working order of a connection is older than 1 day, raise a warning.',
  ],
  [
    orders('distance', 'over', 20, 'percent', { each: 'account' }),
    'When an account has a working order more than 20 % from the market, raise a warning.',
  ],
  [
    orders('distance', 'under', 0.5, 'percent', { channels: ['desk', 'mail', 'pager'] }),
    'When there is a working order less than 0.5 % from the market, raise a warning and notify desk, mail and pager.',
  ],
  [
    orders('twins', 'over', 0, 'orders', { each: 'account' }),
    'When an account has at least 1 working order that repeats another, raise a warning.',
  ],
  [
    orders('distance', 'over', 20, 'percent', {
      each: 'order',
      new_only: true,
      filter: { kinds: ['outright', 'option'], age_over_seconds: 600, notional_over_usd: 1_000, account_id: 'A-1' },
    }),
    'Among outrights and options of account A-1 older than 10 minutes and over 1,000 USD: when there is a working order more than 20 % from the market, raise a warning for each new order.',
  ],
  [
    orders('oldest_age', 'over', 86_400, 'seconds', { each: 'order', channels: ['ops'] }),
    'When a working order is older than 1 day, raise a warning for each order and notify ops.',
  ],
  [
    orders('quantity', 'over', 500, 'contracts', { each: 'order' }),
    'When the working quantity of an order is over 500 contracts, raise a warning for each order.',
  ],
  [
    orders('count', 'over', 40, 'orders', {
      clear_value: 30,
      keep_seconds: 300,
      at_most_every_seconds: 3_600,
      hours: { zone: 'UTC', days: ['Mon', 'Tue'], from: '08:00', to: '16:00', except_holidays: true },
    }),
    'When there are more than 40 working orders, raise a warning. It clears at 30 or under. It keeps firing for 5 minutes. Each alert notifies at most once in 1 hour. It is evaluated on Mon, Tue from 08:00 to 16:00 UTC, except on holidays.',
  ],
  [activity('placed', 'under', 1), 'When there are no orders placed within 5 minutes, raise a warning.'],
  [
    activity('gone', 'over', 100, { each: 'product' }),
    'When a product has more than 100 orders gone within 5 minutes, raise a warning.',
  ],
  [
    activity('filled', 'under', 2, { severity: 'info' }),
    'When there are fewer than 2 orders filled, wholly or in part, within 5 minutes, raise an info alert.',
  ],
  [
    market('price_change', 'beyond', 5, 'percent', { type: 'perpetual' }),
    'When the price of a perpetual is more than 5 % away from its settlement, raise a warning.',
  ],
  [
    market('price_change', 'under', -5, 'percent', { symbol: 'PBTCUCZ50' }),
    'When the price of PBTCUCZ50 is more than 5 % below its settlement, raise a warning.',
  ],
  [
    market('price_change', 'over', 5, 'percent', { base_symbol: 'BUS', type: 'future' }),
    'When the price of a BUS future is more than 5 % above its settlement, raise a warning.',
  ],
  [
    market('price_change', 'under', 2, 'percent'),
    'When the price of a product has changed by under 2 % since its settlement, raise a warning.',
  ],
  [
    market('volume', 'over', 10_000, 'contracts', { type: 'option' }),
    'When the session’s volume of an option is over 10,000 contracts, raise a warning.',
  ],
  [
    market('open_interest', 'under', 5, 'contracts'),
    'When the open interest of a product is under 5 contracts, raise a warning.',
  ],
  [
    funding('predicted_rate', percent('beyond', 0.05)),
    'When the predicted rate of BTCUC is beyond ±0.05 % per interval, raise a warning.',
  ],
  [
    funding('settled_rate', percent('under', -0.01)),
    'When the settled rate of BTCUC is under −0.01 % per interval, raise a warning.',
  ],
  [
    funding('difference', { against: 'ETHUI', ...percent('over', 0.02) }),
    'When the settled rate of BTCUC minus that of ETHUI is over 0.02 % per interval, raise a warning.',
  ],
  [
    funding('difference', { against: 'ETHUI', ...percent('beyond', 0.02) }),
    'When the settled rates of BTCUC and ETHUI differ by more than 0.02 % per interval, raise a warning.',
  ],
  [funding('flip'), 'When the settled rate of BTCUC changes sign, raise a warning.'],
  [
    funding('settled_rate', { ...everyPerpetual, comparison: 'over', value: 20, unit: 'percent APR' }),
    'When the settled rate of a perpetual is over 20 % APR, raise a warning.',
  ],
  [
    funding('predicted_rate', {
      ...everyPerpetual,
      base_symbols: ['BTCUC', 'ETHUI', 'SHBUN'],
      ...{ comparison: 'beyond', value: 0.05, unit: 'percent per 8 h' },
    }),
    'When the predicted rate of BTCUC, ETHUI or SHBUN is beyond ±0.05 % per 8 h, raise a warning.',
  ],
  [
    funding('premium', percent('under', -0.2)),
    'When the premium of mark over index of BTCUC is under −0.2 %, raise a warning.',
  ],
  [
    market('price', 'crosses', 110_000, 'USD', { symbols: ['BUSZ26', 'BUSX26'] }),
    'When the price of BUSZ26 or BUSX26 crosses 110,000 USD, raise a warning.',
  ],
  [
    market('price', 'under', 0.095, 'USD', { symbol: 'PDOGUKZ50' }),
    'When the price of PDOGUKZ50 is under 0.095 USD, raise a warning.',
  ],
  [
    funding('time_left', { comparison: 'under', value: 15, unit: 'minutes' }),
    'When the next funding is less than 15 minutes away, raise a warning.',
  ],
  [
    desk('data_age', { data: 'product-data', comparison: 'over', value: 90, unit: 'seconds' }),
    'When the trading data are older than 90 seconds, raise a warning.',
  ],
  [
    desk('incomplete', { for_seconds: 60 }),
    'When the completeness of the working set is unproven for 1 minute, raise a warning.',
  ],
  [desk('drift'), 'When the exchange’s interface has changed, raise a warning.'],
  [
    desk('budget_left', { comparison: 'under', value: 10, unit: 'percent' }),
    'When less than 10 % of the request budget is left, raise a warning.',
  ],
  [desk('venue_away', { for_seconds: 30 }), 'When the exchange is unreachable for 30 seconds, raise a warning.'],
  [desk('journal_gap', { window_seconds: 3_600 }), 'When the journal has a gap within the last hour, raise a warning.'],
];

describe('a rule as a sentence', () => {
  it.each(SENTENCES)('%#', (rule, sentence) => {
    expect(checkRule(rule).mistakes).toBeNull();
    expect(describeRule(rule)).toBe(sentence);
  });

  it('is there for every measure', () => {
    const measures = Object.entries(MEASURES).flatMap(([about, known]) =>
      Object.keys(known).map((measure) => `${about} ${measure}`),
    );
    expect(new Set(SENTENCES.map(([{ about, measure }]) => `${about} ${measure}`))).toEqual(new Set(measures));
  });

  it('is there for every suggestion, and names what can be changed', () => {
    for (const rule of RULE_SUGGESTIONS) {
      expect(describeRule(rule)).toMatch(/^(When|Among orders) .+\.$/);
      expect(toRuleSentence(rule).some(({ slot }) => slot === 'measure')).toBe(true);
    }
  });
});

it('counts firings in words', () => {
  expect([0, 1, 2, 3].map(describeFirings)).toEqual([
    'it would not have fired',
    'it would have fired once',
    'it would have fired twice',
    'it would have fired 3 times',
  ]);
});
