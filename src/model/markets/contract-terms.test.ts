import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { IncrementCheck } from '../checks/judge-prices.ts';
import { describeTerm, showTerm, type TermContext, type TermName, TERMS } from './contract-terms.ts';

function product(id: number, fields: object): DeskProduct {
  return { product_id: id, ...fields } as unknown as DeskProduct;
}

const dated = {
  contract_size: 0.01,
  contract_size_unit: 'BTC',
  price_increment: 0.000002,
  daily_open_time: '19:00:00',
  daily_settle_time: '16:00:00',
  final_settle_time: '2026-12-25T22:00:00Z',
  first_trading_day: '2025-06-30',
};
const future = product(1, { ...dated, symbol: 'BUSZ26', type: 'future' });
const far = product(2, { ...dated, symbol: 'BUSF27', type: 'future' });
const perpetual = product(3, { ...dated, symbol: 'PBTC', type: 'perpetual' });
const spread = product(4, {
  ...dated,
  symbol: 'BUSZ26-BUSF27',
  type: 'spread',
  legs: [
    { product_id: 1, weight: 1 },
    { product_id: 2, weight: -2 },
  ],
});
const option = product(5, {
  ...dated,
  symbol: 'BUSZ26-C120000',
  type: 'option',
  option_type: 'call',
  strike_price: 24_000,
  underlying_product: 1,
  price_increment: 1,
});
const unknown = product(6, {});

const source = {
  endpoint: 'desk/products',
  target: '/api/desk/products',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 1,
  cache: 'hit',
  requestId: null,
};
const passed: IncrementCheck = { verdict: 'agrees', comparison: null, reason: null };
const failed: IncrementCheck = { verdict: 'off', comparison: null, reason: 'The tick size is off.' };
const directory = new Map([future, far, perpetual, spread, option].map((each) => [Number(each.product_id), each]));

function contextOf(changes: Partial<TermContext> = {}): TermContext {
  return {
    products: source as unknown as TermContext['products'],
    now: Date.parse('2026-11-25T22:00:01Z'),
    find: (id) => directory.get(id),
    checkOf: () => passed,
    ...changes,
  };
}

function textOf(name: TermName, of: DeskProduct, changes?: Partial<TermContext>): string {
  const { text, missing, isWithheld } = TERMS[name](of, contextOf(changes));
  return text ?? `${isWithheld ? 'withheld' : 'missing'}: ${missing ?? ''}`;
}

const NOT_PUBLISHED = 'missing: Not in the exchange’s specification of this product.';
const NO_EXPIRY = 'missing: A perpetual does not expire.';

describe('the terms of a contract', () => {
  it.each<[TermName, DeskProduct, string]>([
    ['expiry', future, '25 Dec 2026'],
    ['daysLeft', future, '29'],
    ['firstDay', future, '30 Jun 2025'],
    ['contractSize', future, '0.01 BTC'],
    ['tickSize', future, '0.000002'],
    ['hours', future, '19:00–16:00'],
    ['legs', spread, '+1 BUSZ26, −2 BUSF27'],
    ['right', option, 'call'],
    ['underlyingProduct', option, 'BUSZ26'],
    ['expiry', perpetual, NO_EXPIRY],
    ['daysLeft', perpetual, NO_EXPIRY],
    ['firstDay', perpetual, NO_EXPIRY],
    ['strike', future, 'missing: Applies to options only.'],
    ['legs', future, 'missing: Applies to spreads only.'],
    ['daysLeft', unknown, NOT_PUBLISHED],
    ['strike', unknown, NOT_PUBLISHED],
    ['hours', unknown, NOT_PUBLISHED],
  ])('%s of %o is %s', (name, of, text) => {
    expect(textOf(name, of)).toBe(text);
  });

  it('days are not counted without the exchange’s time, and under three days hours are counted instead', () => {
    expect(textOf('daysLeft', future, { now: null })).toBe(
      'missing: The exchange’s time is not known yet, so days are not counted.',
    );
    const textAt = (time: string): string => textOf('daysLeft', future, { now: Date.parse(time) });
    expect(
      [
        '2026-12-22T22:00:00Z',
        '2026-12-22T22:00:01Z',
        '2026-12-24T05:30:00Z',
        '2026-12-25T21:18:00Z',
        '2026-12-25T22:01:00Z',
      ].map(textAt),
    ).toEqual(['3', '71 h', '40 h', '42 min', 'past']);
  });

  it('missing values have no place in an order', () => {
    expect([perpetual, unknown].map((of) => TERMS.daysLeft(of, contextOf()).value)).toEqual([null, null]);
  });
});

describe('a strike', () => {
  it('is converted by the tick size of the product that the option is on, not by its own', () => {
    expect(textOf('strike', option)).toBe('0.048');
    expect(TERMS.strike(option, contextOf()).value).toBe('0.048');
  });

  it('is withheld where that tick size fails its check, and the option’s own does not matter', () => {
    expect(textOf('strike', option, { checkOf: (of) => (of === future ? failed : passed) })).toBe(
      'withheld: The tick size is off.',
    );
    expect(textOf('strike', option, { checkOf: (of) => (of === option ? failed : passed) })).toBe('0.048');
    expect(textOf('tickSize', option, { checkOf: (of) => (of === option ? failed : passed) })).toBe(
      'withheld: The tick size is off.',
    );
  });

  it('is withheld where that product is unknown', () => {
    expect(textOf('strike', option, { find: () => undefined })).toMatch(
      /^withheld: The tick size of the underlying product is not published/,
    );
    expect(textOf('underlyingProduct', option, { find: () => undefined })).toBe('product 1');
  });

  it('says where it comes from, and how the tick size was checked', () => {
    const lines = new Map(
      describeTerm(TERMS.strike(option, contextOf()), String).map(({ name, value }) => [name, value]),
    );
    expect(lines.get('Endpoint')).toBe('GET /api/desk/products');
    expect(lines.get('Raw value')).toBe('24000');
    expect(lines.get('Unit')).toBe('ticks of the underlying product × 0.000002 = USD');
    expect(lines.get('Specification')).toBe('BUSZ26 price_increment = 0.000002');
    expect(lines.get('Tick size check')).toBe('passed');
  });

  it('that is withheld says why first, and one that is missing has no source', () => {
    expect(describeTerm(TERMS.strike(option, contextOf({ checkOf: () => failed })), String)[0]).toEqual({
      name: 'Not available',
      value: 'The tick size is off.',
    });
    expect(describeTerm(TERMS.strike(future, contextOf()), String)).toEqual([
      { name: 'Missing', value: 'Applies to options only.' },
    ]);
  });
});

it('a term shows why there is no text: not there, withheld, or not checked yet', () => {
  const pending: IncrementCheck = { verdict: 'pending', comparison: null, reason: 'Not checked yet.' };
  const strikeWith = (check: IncrementCheck): string =>
    showTerm(TERMS.strike(option, contextOf({ checkOf: () => check })));
  expect([
    showTerm(TERMS.strike(future, contextOf())),
    strikeWith(failed),
    strikeWith(pending),
    strikeWith(passed),
  ]).toEqual(['–', 'n/a', '…', '0.048']);
});

it('days to expiry say how they are counted', () => {
  expect(describeTerm(TERMS.daysLeft(future, contextOf()), String)).toContainEqual({
    name: 'Computed',
    value: 'Time until the final settlement: 25 Dec 2026, 22:00 UTC. In days of 24 hours; under three days, in hours.',
  });
});
