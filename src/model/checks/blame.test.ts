import { expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { ProductEvidence } from './facts.ts';
import { judgePrices, type Suspect } from './judge-prices.ts';

/** Settlements in ticks of 5 USD, by day. A contract is 0.01 coins. */
const SETTLED = { '2026-11-21': 23_100, '2026-11-22': 23_000, '2026-11-23': 23_265, '2026-11-24': 23_336 };
type Session = keyof typeof SETTLED;
const SESSIONS = Object.keys(SETTLED) as Session[];
const product = { product_id: 7, symbol: 'PBTCUCZ50', type: 'perpetual', contract_size: 0.01, price_increment: 5 };

type Row = Readonly<Record<string, unknown>>;

/** What the exchange publishes on the morning of 25 Nov, before the open interest of 24 Nov. */
interface Wire {
  readonly product: Row;
  readonly days: readonly Row[];
  readonly sessions: readonly Row[];
  readonly running: Row;
  readonly trailing: Row;
  readonly prices: readonly Row[];
  readonly mark: number;
}

const volumeOf = (day: Session) => 1_000 + 100 * SESSIONS.indexOf(day);
const centsOf = (day: Session, contracts: number) => contracts * SETTLED[day] * 5;
const rangeOf = (day: Session) => ({ low_price: SETTLED[day] - 120, high_price: SETTLED[day] + 120 });
const toData = (day: Session): Row => ({
  ...sampleResponses.productData,
  product_id: 7,
  ...rangeOf(day),
  last_price: SETTLED[day] + 10,
  last_price_time: `${day}T21:59:00Z`,
  settlement_price: SETTLED[day],
  settlement_time: `${day}T22:00:00Z`,
  price_change: 10,
  volume: volumeOf(day),
  notional_volume: centsOf(day, volumeOf(day)),
  open_interest: day === '2026-11-24' ? null : 8_000 + volumeOf(day),
});

const sound: Wire = {
  product,
  days: SESSIONS.map((day) => ({
    date: day,
    productId: 7,
    baseSymbol: 'BTCUC',
    volume: volumeOf(day),
    notionalVolume: centsOf(day, volumeOf(day)),
    openInterest: day === '2026-11-24' ? null : 8_000 + volumeOf(day),
    notionalOpenInterest: day === '2026-11-24' ? null : centsOf(day, 8_000 + volumeOf(day)),
  })),
  sessions: [toData('2026-11-24'), toData('2026-11-23')],
  running: {
    ...toData('2026-11-24'),
    ...{ last_price_time: '2026-11-25T06:00:00Z', open_interest: 9_200 },
    ...{ volume: 400, notional_volume: centsOf('2026-11-24', 400) },
  },
  trailing: { productId: 7, volume: 1_400, notionalVolume: 1_633_520 },
  prices: SESSIONS.map((day) => ({
    date: day,
    time: `${day}T22:00:00Z`,
    ohlc: {
      open: usd(SETTLED[day] - 5),
      high: usd(SETTLED[day] + 120),
      low: usd(SETTLED[day] - 120),
      close: usd(SETTLED[day] + 5),
      volume: volumeOf(day),
    },
    settlementPrice: usd(SETTLED[day]),
  })),
  mark: 23_400,
};

function usd(ticks: number): string {
  return (ticks * 5).toFixed(10);
}

type Rows = 'days' | 'sessions' | 'prices';
const times = (factor: number) => (value: unknown) => (typeof value === 'number' ? Math.round(value * factor) : value);

function withFields(row: Row, fields: readonly string[], change: (value: unknown) => unknown): Row {
  return { ...row, ...Object.fromEntries(fields.map((field) => [field, change(row[field])])) };
}

function inEach(wire: Wire, list: Rows, fields: readonly string[], change: (value: unknown) => unknown): Wire {
  return { ...wire, [list]: wire[list].map((row) => withFields(row, fields, change)) };
}

/** Changes the product data, whichever request they come from. */
function inData(wire: Wire, fields: readonly string[], change: (value: unknown) => unknown): Wire {
  return { ...inEach(wire, 'sessions', fields, change), running: withFields(wire.running, fields, change) };
}

function inCandles(wire: Wire, change: (candle: Row) => Row): Wire {
  return { ...wire, prices: wire.prices.map((row) => ({ ...row, ohlc: change(row['ohlc'] as Row) })) };
}

/** Gives each row the figures of the row before it, but its own date. */
function late(rows: readonly Row[], fields: readonly string[]): readonly Row[] {
  return rows
    .map((row, at) => (at === 0 ? row : withFields(row, fields, () => undefined)))
    .map((row, at) => ({
      ...row,
      ...(at > 0 && Object.fromEntries(fields.map((field) => [field, rows[at - 1]?.[field]]))),
    }));
}

const swap = (row: Row, a: string, b: string): Row => ({ ...row, [a]: row[b], [b]: row[a] });

const DATA_PRICES = ['last_price', 'settlement_price', 'low_price', 'high_price', 'price_change'];
const INTEREST = ['openInterest', 'notionalOpenInterest'];
const DAY = ['volume', 'notionalVolume', ...INTEREST];

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's type decides
function parse<Value>(name: 'chartVoi' | 'productDataAll' | 'trailingStatsAll' | 'chartPrice', rows: readonly Row[]) {
  const { value, setAside } = createParser(ENDPOINTS[name].response).tolerant(JSON.stringify(rows));
  if (value === null || setAside.length > 0) throw new Error(`${name}: the rows of the test are invalid`);
  return value as unknown as readonly Value[];
}

function judge(wire: Wire, hasChart: boolean): readonly Suspect[] {
  const evidence: ProductEvidence = {
    product: wire.product as unknown as DeskProduct,
    days: parse('chartVoi', wire.days),
    sessions: parse('productDataAll', wire.sessions),
    running: parse<NonNullable<ProductEvidence['running']>>('productDataAll', [wire.running])[0],
    trailing: parse<NonNullable<ProductEvidence['trailing']>>('trailingStatsAll', [wire.trailing])[0],
    trailingAt: '2026-11-25T06:30:00Z' as Instant,
    prices: hasChart ? parse('chartPrice', wire.prices) : [],
    latestPrint: { mark_price: wire.mark } as unknown as NonNullable<ProductEvidence['latestPrint']>,
  };
  return [...judgePrices(evidence).reasons.keys()].toSorted();
}

const volumesTimes = (factor: number): Wire =>
  inCandles(
    {
      ...inData(inEach(sound, 'days', ['volume'], times(factor)), ['volume'], times(factor)),
      trailing: withFields(sound.trailing, ['volume'], times(factor)),
    },
    (candle) => withFields(candle, ['volume'], times(factor)),
  );

it.each<[fault: string, wire: Wire, withoutChart: readonly Suspect[], withChart: readonly Suspect[]]>([
  ['nothing', sound, [], []],
  ['prices of the product data × 5', inData(sound, DATA_PRICES, times(5)), ['prices'], ['prices']],
  [
    'the settlement of the product data one session old',
    { ...sound, running: { ...sound.running, settlement_price: SETTLED['2026-11-23'] } },
    ['prices'],
    ['prices'],
  ],
  [
    'the settlement of the product data × 1.05',
    inData(sound, ['settlement_price'], times(1.05)),
    ['prices'],
    ['prices'],
  ],
  [
    'daily values in dollars',
    inEach(sound, 'days', ['notionalVolume', 'notionalOpenInterest'], (cents) =>
      typeof cents === 'number' ? Math.round(cents / 100 + 0.3) : cents,
    ),
    ['open interest value', 'volume value'],
    ['open interest value', 'volume value'],
  ],
  [
    'all USD values × 10',
    {
      ...inData(
        inEach(sound, 'days', ['notionalVolume', 'notionalOpenInterest'], times(10)),
        ['notional_volume'],
        times(10),
      ),
      trailing: withFields(sound.trailing, ['notionalVolume'], times(10)),
    },
    ['contract size', 'tick size'],
    ['contract size'],
  ],
  [
    'the 24 h value × 100',
    { ...sound, trailing: withFields(sound.trailing, ['notionalVolume'], times(100)) },
    ['24 h value'],
    ['24 h value'],
  ],
  [
    'the 24 h value × 3',
    { ...sound, trailing: withFields(sound.trailing, ['notionalVolume'], times(3)) },
    ['24 h value'],
    ['24 h value'],
  ],
  [
    'the 24 h value × 100, and a tick size × 1,000',
    {
      ...sound,
      product: { ...product, price_increment: 5_000 },
      trailing: withFields(sound.trailing, ['notionalVolume'], times(100)),
    },
    ['contract size', 'tick size'],
    ['24 h value', 'tick size'],
  ],
  [
    'open interest of the session before',
    { ...sound, days: late(sound.days, INTEREST) },
    ['open interest', 'open interest value'],
    ['open interest', 'open interest value'],
  ],
  [
    'the chart and daily values one session late',
    { ...sound, days: late(sound.days, DAY), prices: late(sound.prices, ['ohlc', 'settlementPrice']) },
    ['open interest', 'open interest value', 'prices', 'session value', 'session volume', 'volume', 'volume value'],
    [
      'candle volume',
      'chart',
      'open interest',
      'open interest value',
      'prices',
      'session value',
      'session volume',
      'volume',
      'volume value',
    ],
  ],
  [
    'the chart one session late',
    { ...sound, prices: late(sound.prices, ['ohlc', 'settlementPrice']) },
    [],
    ['candle volume', 'chart'],
  ],
  [
    'contracts and USD exchanged everywhere',
    {
      ...inData(
        {
          ...sound,
          days: sound.days.map((row) => swap(row, 'volume', 'notionalVolume')),
          trailing: swap(sound.trailing, 'volume', 'notionalVolume'),
        },
        [],
        times(1),
      ),
      sessions: sound.sessions.map((row) => swap(row, 'volume', 'notional_volume')),
      running: swap(sound.running, 'volume', 'notional_volume'),
    },
    ['24 h value', '24 h volume', 'session value', 'session volume', 'volume', 'volume value'],
    ['24 h value', '24 h volume', 'session value', 'session volume', 'volume', 'volume value'],
  ],
  [
    'all volumes × 100',
    volumesTimes(100),
    ['24 h value', '24 h volume', 'session value', 'session volume', 'volume', 'volume value'],
    ['24 h value', '24 h volume', 'candle volume', 'session value', 'session volume', 'volume', 'volume value'],
  ],
  ['the daily volume × 3', inEach(sound, 'days', ['volume'], times(3)), ['volume'], ['volume']],
  ['the volume of the product data × 3', inData(sound, ['volume'], times(3)), ['session volume'], ['session volume']],
  [
    'contracts and USD of the daily volume exchanged',
    { ...sound, days: sound.days.map((row) => swap(row, 'volume', 'notionalVolume')) },
    ['volume', 'volume value'],
    ['volume', 'volume value'],
  ],
  [
    'the value of open interest × 10',
    inEach(sound, 'days', ['notionalOpenInterest'], times(10)),
    ['open interest value'],
    ['open interest value'],
  ],
  [
    'open interest × 2',
    inEach(sound, 'days', ['openInterest'], times(2)),
    ['open interest', 'open interest value'],
    ['open interest', 'open interest value'],
  ],
  [
    'chart prices in cents',
    inCandles(
      {
        ...sound,
        prices: sound.prices.map((row) => ({
          ...row,
          settlementPrice: String(row['settlementPrice']).replace('.', '00.'),
        })),
      },
      (candle) => withFields(candle, ['open', 'high', 'low', 'close'], (price) => String(price).replace('.', '00.')),
    ),
    [],
    ['chart'],
  ],
  [
    'the newest settlement of the chart × 1.05',
    {
      ...sound,
      prices: sound.prices.map((row) =>
        row['date'] === '2026-11-24' ? { ...row, settlementPrice: usd(24_502.8) } : row,
      ),
    },
    [],
    ['chart'],
  ],
  [
    'the settlement of the product data × 1.02',
    inData(sound, ['settlement_price'], times(1.02)),
    ['prices'],
    ['prices'],
  ],
  [
    'live prices × 10',
    { ...sound, running: withFields(sound.running, ['last_price', 'low_price', 'high_price'], times(10)) },
    ['prices', 'session value', 'session volume'],
    ['prices', 'session value', 'session volume'],
  ],
  [
    'the volume of the session in progress × 10',
    { ...sound, running: { ...sound.running, volume: 4_000 } },
    ['session volume'],
    ['session volume'],
  ],
  [
    'the volume of the session in progress × 10, in contracts and in USD',
    { ...sound, running: withFields(sound.running, ['volume', 'notional_volume'], times(10)) },
    ['24 h value', '24 h volume', 'session value', 'session volume'],
    ['24 h value', '24 h volume', 'session value', 'session volume'],
  ],
  ['a mark × 5', { ...sound, mark: 117_000 }, ['mark'], ['mark']],
  [
    'a tick size × 1.05',
    { ...sound, product: { ...product, price_increment: 5.25 } },
    ['contract size', 'tick size'],
    ['tick size'],
  ],
  [
    'a contract size × 10',
    { ...sound, product: { ...product, contract_size: 0.1 } },
    ['contract size', 'tick size'],
    ['contract size'],
  ],
  [
    'a 24 h value of zero',
    { ...sound, trailing: { ...sound.trailing, notionalVolume: 0 } },
    ['24 h value'],
    ['24 h value'],
  ],
  [
    'a negative 24 h value without contracts',
    { ...sound, trailing: { ...sound.trailing, volume: -5, notionalVolume: -500 } },
    ['24 h value'],
    ['24 h value'],
  ],
])('blames the source that stands alone: %s', (_, wire, withoutChart, withChart) => {
  expect([judge(wire, false), judge(wire, true)]).toEqual([withoutChart, withChart]);
});
