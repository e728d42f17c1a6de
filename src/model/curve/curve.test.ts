import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { Sourced } from '../response.ts';
import { describeProvenance } from '../format/provenance.ts';
import numbers from './curve-numbers.json' with { type: 'json' };
import { type Curve, listUnderlyings, toCurve } from './curve-months.ts';
import { type CurveRow, findShape, toChange, toComparedSession, toCurveRows, whyMissing } from './curve-rows.ts';

const FRIDAY = '2026-11-27T22:00:00Z';
const DIGITS = 20;

interface Listed {
  readonly symbol: string;
  readonly base?: string;
  readonly expires?: string | null;
  readonly increment?: string;
  readonly size?: number;
  readonly status?: string;
  readonly from?: string;
}

let lastId = 0;

/** A month, or a perpetual if it never expires. */
function listed({ symbol, base = 'BUS', expires = null, increment = '5', size = 1, status, from }: Listed) {
  return {
    product_id: (lastId += 1),
    symbol,
    base_symbol: base,
    type: expires === null ? 'perpetual' : 'future',
    contract_size: size,
    contract_size_unit: 'BTC',
    price_increment: Number(increment),
    product_status: status ?? 'active',
    ...(expires !== null && {
      month: symbol.at(-3),
      year: 2000 + Number(symbol.slice(-2)),
      final_settle_time: expires,
    }),
    ...(from !== undefined && { first_trading_day: from }),
  } as unknown as DeskProduct;
}

interface Settled {
  readonly ticks: number | null;
  readonly at?: string;
  readonly openInterest?: number | null;
  readonly volume?: number;
}

function rowOf(product: DeskProduct, { ticks, at = FRIDAY, openInterest = null, volume }: Settled) {
  return {
    product_id: product.product_id,
    settlement_price: ticks,
    settlement_time: ticks === null ? null : at,
    open_interest: openInterest,
    volume: volume ?? null,
    low_price: null,
    high_price: null,
    notional_volume: null,
  } as unknown as ProductData;
}

function dataOf(value: readonly ProductData[]): Sourced<readonly ProductData[]> {
  const times = { respondedAt: null, receivedAt: 0, ageSeconds: 0 };
  return { endpoint: 'productDataAll', target: '/', ...times, cache: 'miss', requestId: null, value };
}

type Entries = readonly (readonly [DeskProduct, Settled])[];

function curveOf(entries: Entries, more: { readonly baseSymbol?: string; readonly session?: string } = {}): Curve {
  const data = dataOf(entries.map(([product, settled]) => rowOf(product, settled)));
  const session = (more.session ?? null) as Day | null;
  const curve = toCurve({ directory: entries.map(([product]) => product), data, underlying: 'BTC', ...more, session });
  if (curve === null) throw new Error('no months');
  return curve;
}

const find = (rows: readonly CurveRow[], name: string): CurveRow => {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
};

const perpetual = listed({ symbol: 'PBTCUCZ50', base: 'BTCUC' });
const december = listed({ symbol: 'BUSZ26', expires: '2026-12-25T22:00:00Z' });
const january = listed({ symbol: 'BUSF27', expires: '2027-01-29T22:00:00Z' });
const march = listed({ symbol: 'BUSH27', expires: '2027-03-26T21:00:00Z' });
const usual: Entries = [
  [perpetual, { ticks: 21_510 }],
  [december, { ticks: 21_583 }],
  [january, { ticks: 21_690 }],
  [march, { ticks: 21_900 }],
];
const withEntry = (product: DeskProduct, settled: Settled): Entries =>
  usual.map(([each, other]) => [each, each === product ? settled : other]);

describe('basis and constant maturities', () => {
  it.each(numbers.curves)('of the curve settled on $settled equal the results of an independent calculator', (made) => {
    const future = (month: string, expires: string) =>
      listed({ symbol: `BUS${month}27`, expires, increment: made.increment });
    const entries = made.months.map(
      ({ month, expires, ticks }) => [future(month, expires), { ticks: Number(ticks), at: made.settled }] as const,
    );
    const other = listed({ symbol: 'PBTCUCZ50', base: 'BTCUC', increment: made.perpetual_increment });
    const ofPerpetual = [other, { ticks: Number(made.perpetual_ticks), at: made.settled }] as const;
    const rows = toCurveRows(curveOf([ofPerpetual, ...entries]));
    const figures = ({ settlement, usd, fraction, aYear }: CurveRow) =>
      [settlement, usd, fraction, aYear].map((quantity) => quantity?.value?.toFixed(DIGITS));
    for (const month of made.months) {
      const row = find(rows, `${month.month}27`);
      expect(row.minutes).toBe(month.minutes);
      expect(figures(row)).toEqual([month.settlement, month.usd, month.fraction, month.aYear]);
    }
    for (const [days, constant] of Object.entries(made.constant)) {
      const row = find(rows, `${days} days`);
      expect(figures(row)).toEqual([constant.settlement, constant.usd, constant.fraction, constant.aYear]);
    }
  });

  it('say how they were computed, down to the field of the response', () => {
    const { aYear } = find(toCurveRows(curveOf(usual)), 'Z26');
    const lines = aYear === null ? [] : describeProvenance(aYear, String);
    expect(lines.map(({ value }) => value)).toEqual([
      'Basis × 525600 minutes of 365 days ÷ 40320 minutes to expiry',
      'Basis in USD ÷ settlement of PBTCUCZ50',
      'Settlement of BUSZ26 − settlement of PBTCUCZ50',
      'productDataAll settlement_price = 21583 (2026-11-27T22:00:00Z)',
      'productDataAll settlement_price = 21510 (2026-11-27T22:00:00Z)',
      'productDataAll settlement_price = 21510 (2026-11-27T22:00:00Z)',
    ]);
  });

  it('are never extrapolated to a constant maturity', () => {
    const rows = toCurveRows(curveOf(usual));
    expect(find(rows, '180 days').refusedBecause).toBe(
      'No month expires after 180 days of the settlement, and nothing is extrapolated.',
    );
    const [first, , ...far] = usual;
    const without = toCurveRows(curveOf([...(first === undefined ? [] : [first]), ...far]));
    expect(find(without, '30 days').refusedBecause).toContain('No month expires within 30 days');
  });

  it('are not scaled to a year under 3 days to expiry', () => {
    const near = listed({ symbol: 'BUSX26', expires: '2026-11-30T21:59:00Z' });
    const row = find(toCurveRows(curveOf([...usual, [near, { ticks: 21_511 }]])), 'X26');
    expect([row.usd?.value?.toFixed(), row.aYear]).toEqual(['5', null]);
    expect(row.refusedBecause).toBe(
      'BUSX26 expires 2 days after its settlement of 27 Nov 2026, on 30 Nov 2026, 21:59 UTC: ' +
        'a basis is not scaled to a year under 3 days.',
    );
  });

  it('do not exist without a perpetual, but settlements do', () => {
    const [, ...months] = usual;
    const rows = toCurveRows(curveOf(months));
    expect(find(rows, 'Z26').settlement?.value?.toFixed()).toBe('107915');
    expect(whyMissing(find(rows, 'Z26'), 'aYear')).toBe('No perpetual of BTC is listed, so there is no basis.');
    expect(findShape(rows)).toBe('contango');
  });
});

describe('a fault', () => {
  it('a settlement of another session gives no basis, and both times are named', () => {
    const thursday = '2026-11-26T22:00:00Z';
    const { usd, aYear, refusedBecause } = find(
      toCurveRows(curveOf(withEntry(january, { ticks: 21_700, at: thursday }))),
      'F27',
    );
    expect([usd, aYear]).toEqual([null, null]);
    expect(refusedBecause).toBe(
      'BUSF27 settled on 26 Nov 2026, 22:00 UTC, and PBTCUCZ50 on 27 Nov 2026, 22:00 UTC: ' +
        'a basis needs both settlements of the same minute.',
    );
  });

  it('settlements of the same session an hour apart give no basis either', () => {
    const early = withEntry(january, { ticks: 21_700, at: '2026-11-27T21:00:00Z' });
    expect(find(toCurveRows(curveOf(early)), 'F27').refusedBecause).toContain('of the same minute');
  });

  it('an increment ten times wrong gives no basis, and shows by how much the settlements differ', () => {
    const wrong = listed({ symbol: 'BUSF27', expires: '2027-01-29T22:00:00Z', increment: '50' });
    const entries: Entries = usual.map(([product, settled]) => [product === january ? wrong : product, settled]);
    const { usd, aYear, refusedBecause } = find(toCurveRows(curveOf(entries)), 'F27');
    expect([usd, aYear]).toEqual([null, null]);
    expect(refusedBecause).toBe(
      'BUSF27 settled at 1,084,500 USD and PBTCUCZ50 at 107,550 USD, a factor of 10.08: ' +
        'one of the tick sizes must be wrong.',
    );
  });

  it('a month without a settlement is a gap with a reason, and no constant maturity bridges it', () => {
    const rows = toCurveRows(curveOf(withEntry(january, { ticks: null }), { session: '2026-11-27' }));
    expect(whyMissing(find(rows, 'F27'), 'settlement')).toBe('BUSF27 has no settlement of 27 Nov 2026.');
    const thirty = find(rows, '30 days');
    expect([thirty.aYear, thirty.settlement]).toEqual([null, null]);
    expect(thirty.refusedBecause).toBe('BUSF27 has no settlement of 27 Nov 2026.');
  });
});

describe('the products of a curve', () => {
  it('are by default those of the series with the most open interest, in units of the underlying', () => {
    const small = listed({ symbol: 'BUCZ26', base: 'BUC', expires: '2026-12-25T22:00:00Z', size: 0.01 });
    const entries: Entries = [
      [perpetual, { ticks: 21_510 }],
      [small, { ticks: 21_583, openInterest: 900, volume: 1 }],
      [december, { ticks: 21_583, openInterest: 10, volume: 1 }],
    ];
    const { baseSymbol, series } = curveOf(entries);
    expect([baseSymbol, series.map((each) => each.baseSymbol)]).toEqual(['BUS', ['BUS', 'BUC']]);
    expect(curveOf(entries, { baseSymbol: 'BUC' }).months.map(({ symbol }) => symbol)).toEqual(['BUCZ26']);
  });

  it('are, until open interest is published, those with the most volume', () => {
    const small = listed({ symbol: 'BUCZ26', base: 'BUC', expires: '2026-12-25T22:00:00Z', size: 0.01 });
    const byVolume = (ofSmall: number) =>
      curveOf([
        [small, { ticks: 21_583, volume: ofSmall }],
        [december, { ticks: 21_583, volume: 5 }],
      ]).baseSymbol;
    expect([byVolume(499), byVolume(501)]).toEqual(['BUS', 'BUC']);
  });

  it('of a past session include months that have expired since, and exclude those that were not yet listed', () => {
    const expired = listed({
      symbol: 'BUSV26',
      expires: '2026-10-30T21:00:00Z',
      status: 'expired',
      from: '2025-10-01',
    });
    const later = listed({ symbol: 'BUSU27', expires: '2027-09-24T21:00:00Z', from: '2026-11-02' });
    const entries: Entries = [...usual, [expired, { ticks: 21_000 }], [later, { ticks: null }]];
    const names = (session: string) => curveOf(entries, { session }).months.map(({ name }) => name);
    expect(names('2026-10-28')).toEqual(['V26', 'Z26', 'F27', 'H27']);
    expect(names('2026-11-27')).toEqual(['Z26', 'F27', 'H27', 'U27']);
  });

  it('exist for underlyings with active futures only', () => {
    const forthcoming = { ...january, contract_size_unit: 'SOL', product_status: 'forthcoming' } as DeskProduct;
    expect(listUnderlyings([perpetual, december, { ...december, contract_size_unit: 'ADA' }, forthcoming])).toEqual([
      'ADA',
      'BTC',
    ]);
  });
});

it('a curve rises, falls, or does neither', () => {
  const shapeOf = (...ticks: readonly number[]) =>
    findShape(toCurveRows(curveOf(usual.map(([product], index) => [product, { ticks: ticks[index] ?? null }]))));
  expect(shapeOf(21_510, 21_520, 21_530, 21_540)).toBe('contango');
  expect(shapeOf(21_510, 21_500, 21_490, 21_480)).toBe('backwardation');
  expect(shapeOf(21_510, 21_520, 21_490, 21_540)).toBe('mixed');
});

it('an earlier session is one in which months settled', () => {
  const friday = '2026-11-27' as Day;
  const monday = '2026-11-30' as Day;
  expect([toComparedSession('1d', monday), toComparedSession('1w', friday), toComparedSession('30d', monday)]).toEqual([
    '2026-11-27',
    '2026-11-20',
    '2026-10-30',
  ]);
  const [now, before] = [
    find(toCurveRows(curveOf(usual)), 'Z26'),
    find(toCurveRows(curveOf(withEntry(december, { ticks: 21_520 }))), 'Z26'),
  ];
  expect(toChange(now.usd, before.usd, '26 Nov 2026')?.value?.toFixed()).toBe('315');
  expect(toChange(now.usd, undefined, '26 Nov 2026')).toBeNull();
});
