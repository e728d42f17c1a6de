import { describe, expect, it } from 'vitest';
import { withDoubts } from './specification-doubts.ts';

type Spec = Readonly<Record<string, unknown>>;

const CODES = 'FGHJKMNQUVXZ';

function future(id: number, base: string, month: number, year: number): Spec {
  const code = `${CODES.charAt(month - 1)}${String(year).slice(-2)}`;
  return {
    product_id: id,
    symbol: `${base}${code}`,
    base_symbol: base,
    product_name: `Bitcoin Future ${code}`,
    type: 'future',
    product_status: 'active',
    contract_size: 1,
    contract_size_unit: 'BTC',
    price_quotation_unit: 'USD per BTC',
    price_increment: 5,
    month: code.charAt(0),
    year,
    first_trading_day: `${String(year - 1)}-01-05`,
    final_settle_time: `${String(year)}-${String(month).padStart(2, '0')}-25T22:00:00Z`,
  };
}

function option(id: number, right: 'call' | 'put', strike: number): Spec {
  return {
    ...future(id, 'BUS', 12, 2026),
    symbol: `BUSZ26-${right === 'call' ? 'C' : 'P'}${String(strike)}`,
    type: 'option',
    month: undefined,
    year: undefined,
    underlying_product: 12,
    strike_price: strike / 5,
    option_type: right,
  };
}

function spread(id: number, near: Spec, far: Spec): Spec {
  return {
    ...near,
    product_id: id,
    symbol: `${String(near['symbol'])}-${String(far['symbol'])}`,
    product_name: `Bitcoin Calendar Spread ${String(near['symbol']).slice(-3)}`,
    type: 'spread',
    month: undefined,
    year: undefined,
    legs: [
      { product_id: near['product_id'], weight: 1 },
      { product_id: far['product_id'], weight: -1 },
    ],
  };
}

const perpetual = (id: number, base: string, unit: string): Spec => ({
  product_id: id,
  symbol: `P${base}Z50`,
  base_symbol: base,
  type: 'perpetual',
  product_status: 'active',
  contract_size: 0.01,
  contract_size_unit: unit,
  price_quotation_unit: `USD per ${unit}`,
});

const futures = [8, 9, 10, 11, 12].map((month) => future(month, 'BUS', month, 2026));
const list: readonly Spec[] = [
  ...futures,
  ...[110_000, 114_000, 118_000].flatMap((strike, at) => [
    option(100 + at, 'call', strike),
    option(200 + at, 'put', strike),
  ]),
  ...[0, 1, 2, 3].map((at) => spread(300 + at, futures[at] ?? {}, futures[at + 1] ?? {})),
  perpetual(5_614, 'BTCUC', 'BTC'),
  perpetual(5_608, 'ETHUI', 'ETH'),
  perpetual(5_609, 'SOLUS', 'SOL'),
  perpetual(5_610, 'XLMUK', 'XLM'),
  perpetual(5_611, 'ADAUK', 'ADA'),
  perpetual(5_615, 'DOGUK', 'DOGE'),
  perpetual(5_618, 'XRPUH', 'XRP'),
];

function inMonths(spec: Spec, most: number): string {
  const time = new Date((spec['final_settle_time'] as string | undefined) ?? '2026-01-05T22:00:00Z');
  time.setUTCMonth(time.getUTCMonth() + 1 + (Number(spec['product_id']) % most));
  return time.toISOString();
}

interface Doubted {
  readonly product_id: number;
  readonly doubts?: readonly { readonly field: string; readonly reason: string }[];
}

function doubtsWith(id: number, fields: Spec, of = list) {
  const found = withDoubts(of.map((spec) => (spec['product_id'] === id ? { ...spec, ...fields } : spec)));
  return (found as unknown as readonly Doubted[]).flatMap(({ product_id, doubts = [] }) =>
    doubts.map(({ field, reason }) => [product_id, field, reason]),
  );
}

describe('a specification', () => {
  it('without contradictions stays as it is', () => {
    expect(withDoubts(list)).toBe(list);
  });

  it.each([
    ['final_settle_time', 12, { final_settle_time: '2027-03-26T22:00:00Z' }, /BUSZ26|Z26.*2027-03-26/],
    ['month', 12, { month: 'H', year: 2_027 }, /Z26.*H 2027/],
    ['product_name', 12, { product_name: 'Bitcoin Future H27' }, /Bitcoin Future H27/],
    ['first_trading_day', 12, { first_trading_day: '2027-01-01' }, /2027-01-01, after 2026-12-25/],
    ['option_type', 201, { option_type: 'call' }, /BUSZ26-P114000 is not that of a call/],
    ['strike_price', 201, { strike_price: 228_000 }, /another strike than the 1,140,000 USD/],
    ['underlying_product', 201, { underlying_product: 11 }, /not that of an option on BUSX26/],
    ['contract_size_unit', 5_614, { contract_size_unit: 'ETH' }, /0\.01 ETH.*USD per BTC/],
    ['legs', 301, { legs: [8, 9].map((id, at) => ({ product_id: id, weight: 1 - 2 * at })) }, /1 BUSQ26, -1 BUSU26/],
    ['legs', 301, { legs: [9, 10].map((id, at) => ({ product_id: id, weight: 2 * at - 1 })) }, /-1 BUSU26, 1 BUSV26/],
  ])('with another %s than its symbol says loses it', (field, id, fields, reason) => {
    expect(doubtsWith(id, fields)).toEqual([[id, field, expect.stringMatching(reason)]]);
    const changed = withDoubts(list.map((spec) => (spec['product_id'] === id ? { ...spec, ...fields } : spec)));
    const row = changed.find((spec) => spec['product_id'] === id) ?? {};
    expect(Object.hasOwn(row, field)).toBe(field === 'product_name');
  });

  it('whose symbol is exchanged for that of another keeps it, and so does the other', () => {
    const swapped = list.map((spec) =>
      spec['product_id'] === 5_614
        ? { ...spec, symbol: 'PETHUIZ50' }
        : spec['product_id'] === 5_608
          ? { ...spec, symbol: 'PBTCUCZ50' }
          : spec,
    );
    expect(doubtsWith(0, {}, swapped)).toEqual([
      [5_614, 'symbol', 'The symbol PETHUIZ50 is of another series than BTCUC.'],
      [5_608, 'symbol', 'The symbol PBTCUCZ50 is of another series than ETHUI.'],
    ]);
  });

  it('that shares its symbol with another is in doubt, and so is the other', () => {
    const twice = [...list, { ...future(13, 'BUS', 12, 2026) }];
    expect(doubtsWith(0, {}, twice)).toEqual(
      [12, 13].map((id) => [id, 'symbol', 'BUSZ26 is the symbol of the products 12 and 13.']),
    );
    expect(doubtsWith(13, { product_status: 'expired' }, twice)).toEqual([]);
  });

  it('that shares its symbol with very many others names a few of them', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ ...future(at + 1, 'BUS', 12, 2026) }));
    const reasons = doubtsWith(0, {}, many).map(([, , reason]) => reason);
    expect(reasons).toHaveLength(3_000);
    expect(new Set(reasons)).toEqual(new Set(['BUSZ26 is the symbol of the products 1, 2, 3 and 2,997 more.']));
  });

  it.each<readonly [string, Spec]>([
    ['a symbol', { symbol: `BUS${'X'.repeat(1_000)}`, base_symbol: 'BUX' }],
    ['a name', { product_name: 'X'.repeat(1_000) }],
    ['very many legs', { legs: Array.from({ length: 1_000 }, () => ({ product_id: 8, weight: 1 })) }],
    ['a weight', { legs: [8, 9].map((id) => ({ product_id: id, weight: 'X'.repeat(1_000) })) }],
    ['no legs at all', { legs: [null, 8, [[8]]] }],
  ])('with %s of no sensible length has no doubt as long', (_, fields) => {
    for (const [, , reason] of doubtsWith(301, fields)) expect(String(reason).length).toBeLessThan(500);
  });
});

describe('another convention is none of ours to doubt', () => {
  it.each<readonly [string, (spec: Spec) => Spec]>([
    ['contracts that settle in the month after', (spec: Spec) => ({ ...spec, final_settle_time: inMonths(spec, 1) })],
    ['contracts that settle when they like', (spec: Spec) => ({ ...spec, final_settle_time: inMonths(spec, 9) })],
    ['names without the month', (spec: Spec) => ({ ...spec, product_name: 'Bitcoin Future' })],
    ['strikes in thousands', (spec: Spec) => ({ ...spec, symbol: String(spec['symbol']).replace(/000$/, '') })],
    ['other words for a right', (spec: Spec) => ({ ...spec, option_type: spec['option_type'] && 'European' })],
    ['quotations in words', (spec: Spec) => ({ ...spec, price_quotation_unit: 'US dollars per bitcoin' })],
    ['symbols without the series', (spec: Spec) => ({ ...spec, symbol: `X-${String(spec['product_id'])}` })],
    ['no symbols', (spec: Spec) => ({ ...spec, symbol: undefined })],
    ['only numbers', (spec: Spec) => ({ product_id: spec['product_id'] })],
  ])('%s', (_, change) => {
    const changed = list.map(change);
    const doubts = doubtsWith(0, {}, changed).filter(([, field]) => field !== 'first_trading_day');
    expect(doubts).toEqual([]);
  });

  it('that of a whole series', () => {
    const names = list.map((spec) =>
      spec['type'] === 'future' ? { ...spec, product_id: 0, base_symbol: 'HUP' } : spec,
    );
    expect(doubtsWith(0, {}, names)).toEqual([]);
  });
});

describe('final settlements', () => {
  const months = [8, 9, 10, 11, 12];
  const series = ['BUS', 'ETU', 'SOU', 'XRU', 'HUP'].flatMap((base, at) =>
    months.map((month) => future(100 * at + month, base, month, 2026)),
  );
  const settling = (symbol: string, time: (month: string) => string): readonly Spec[] =>
    series.map((spec) =>
      String(spec['symbol']).startsWith(symbol)
        ? { ...spec, final_settle_time: time(String(spec['final_settle_time']).slice(0, 7)) }
        : spec,
    );
  const doubtsOf = (specs: readonly Spec[]) => withDoubts(specs).flatMap(({ doubts }) => doubts ?? []);

  it.each(['25T23:00:00Z', '24T22:00:00Z'])('one on another day or hour than its month and series: %s', (time) => {
    expect(doubtsOf(settling('BUSZ26', (month) => `${month}-${time}`))).toEqual([
      {
        field: 'final_settle_time',
        reason:
          `The final settlement of BUSZ26 is 2026-12-${time}, but that of the other series of its month is ` +
          '2026-12-25T22:00:00Z.',
      },
    ]);
  });

  it('a series that settles at its own times is no doubt, nor a month that settles earlier', () => {
    const days = new Map(months.map((month, at) => [`2026-${String(month).padStart(2, '0')}`, 25 + at]));
    expect(doubtsOf(settling('HUP', (month) => `${month}-${String(days.get(month))}T15:00:00Z`))).toEqual([]);
    const before = (spec: Spec): Spec => ({ ...spec, final_settle_time: '2026-12-24T18:00:00Z' });
    expect(doubtsOf(series.map((spec) => (spec['month'] === 'Z' ? before(spec) : spec)))).toEqual([]);
  });
});
