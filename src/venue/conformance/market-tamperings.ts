import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { RANGED_NAMES } from './every-endpoint.ts';
import {
  ignoring,
  every,
  first,
  has,
  is,
  json,
  lacks,
  later,
  ofCandle,
  plus,
  reversed,
  scalePrice,
  changeRows,
  set,
  status,
  times,
  twice,
  withoutFirst,
  withoutLast,
  type Defect,
} from './tampering.ts';

const agreement: readonly Defect[] = [
  {
    title: 'candles count an extra contract',
    detectedBy: ['daily volume equals'],
    ...changeRows('chartPrice', every(ofCandle(plus('volume', 1)))),
  },
  {
    title: 'notional volume is a hundred times too large',
    detectedBy: ['notional volume, in cents'],
    ...changeRows('chartVoi', every(times('notionalVolume', 100))),
  },
  {
    title: 'trailing volume is inflated',
    detectedBy: ['trailing volume is'],
    ...changeRows('trailingStats', every(times('volume', 1000))),
  },
  {
    title: 'the mark is in another unit',
    detectedBy: ['the funding mark'],
    ...changeRows('fundingRates', every(times('mark_price', 1.5))),
  },
  {
    title: 'working orders are hidden',
    detectedBy: ['orders that the history shows'],
    ...changeRows('ordersWorking', () => []),
  },
  {
    title: 'one working order is hidden',
    detectedBy: ['orders that the history shows'],
    ...changeRows('ordersWorking', withoutFirst),
  },
  {
    title: 'an order names another product',
    detectedBy: ['an order’s symbol'],
    ...changeRows('orders', first(set({ symbol: 'XXX' }))),
  },
  {
    title: 'one specification differs',
    detectedBy: ['endpoints of one product'],
    ...changeRows('productSpec', every(plus('contract_size', 1))),
  },
  {
    title: 'an order is of the future',
    detectedBy: ['no working order has'],
    ...changeRows('ordersWorking', first(set({ time: '2099-01-01T00:00:00Z' }))),
  },
];

const units: readonly Defect[] = [
  ...[100, 0.001].map((factor) => ({
    title: `trailing notional is ${String(factor)} times what it is`,
    detectedBy: ['trailing notional is in USD'],
    ...changeRows('trailingStats', every(times('notionalVolume', factor))),
  })),
  {
    title: 'notional open interest is in USD',
    detectedBy: ['notional open interest is'],
    ...changeRows(
      'chartVoi',
      every((row) => set({ notionalOpenInterest: Math.round(Number(row['notionalOpenInterest']) / 100) })(row)),
    ),
  },
  {
    title: 'settlement prices are 10 % too high',
    detectedBy: ['settlement prices are near'],
    ...changeRows('chartPrice', every(scalePrice('settlementPrice', 1.1))),
  },
  {
    title: 'order prices are in another unit',
    detectedBy: ['order prices are in ticks'],
    ...changeRows('orders', every(times('price', 5))),
  },
  {
    title: 'average prices are in another unit',
    detectedBy: ['average prices of orders'],
    ...changeRows('orders', every(times('avg_price', 0.001))),
  },
  {
    title: 'the index is in another unit',
    detectedBy: ['the index of a perpetual'],
    ...changeRows('fundingRates', every(times('price_index', 5))),
  },
];

const charts: readonly Defect[] = [
  { title: 'a day appears twice', detectedBy: ['prices: one row'], ...changeRows('chartPrice', twice) },
  {
    title: 'days are in reverse order',
    detectedBy: ['prices: oldest day first'],
    ...changeRows('chartPrice', reversed),
  },
  {
    title: 'the default range is short',
    detectedBy: ['prices: without a range'],
    ...changeRows('chartPrice', (all) => all.slice(-5), lacks('begin_time')),
  },
  {
    title: 'high and low are swapped',
    detectedBy: ['prices: open and close'],
    ...changeRows(
      'chartPrice',
      every(ofCandle((ohlc) => ({ ...ohlc, high: ohlc['low'], low: ohlc['high'], open: '0.5' }))),
    ),
  },
  {
    title: 'a price has fewer decimal places',
    detectedBy: ['prices: all have the same'],
    ...changeRows('chartPrice', first(ofCandle((ohlc) => ({ ...ohlc, open: '0.5' })))),
  },
  {
    title: 'a day before the range',
    detectedBy: ['prices: days are within'],
    ...changeRows('chartPrice', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')),
  },
  {
    title: 'the row at begin_time is left out',
    detectedBy: ['prices: begin_time is inclusive'],
    ...changeRows('chartPrice', withoutFirst, has('begin_time', 'end_time')),
  },
  {
    title: 'now is earlier than now',
    detectedBy: ['prices: end_time=now'],
    ...changeRows('chartPrice', withoutLast, is('end_time', 'now')),
  },
  ...(['chartPrice', 'chartVoi'] as const).flatMap((name) =>
    ['begin_time', 'end_time'].map((bound) => ({
      title: `${bound} of ${name} is ignored`,
      detectedBy: [name === 'chartPrice' ? 'prices: days are within' : 'volume: days are within'],
      ...ignoring(bound, name),
    })),
  ),
  { title: 'a product has two rows a day', detectedBy: ['volume: each product'], ...changeRows('chartVoi', twice) },
  {
    title: 'another product is included',
    detectedBy: ['volume: one product_id'],
    ...changeRows(
      'chartVoi',
      (all) => all.concat({ ...all[0], productId: 1 }),
      ({ query }) => query.getAll('product_id').length === 1,
    ),
  },
  {
    title: 'a sum is off by one',
    detectedBy: ['volume: several product_id'],
    ...changeRows('chartVoi', every(plus('volume', 1)), ({ query }) => query.getAll('product_id').length > 1),
  },
  {
    title: 'all products together differ',
    detectedBy: ['volume: without product_id'],
    ...changeRows('chartVoi', every(plus('volume', 1)), lacks('product_id')),
  },
  {
    title: 'one null part makes the sum null',
    detectedBy: ['volume: a sum is null'],
    ...changeRows('chartVoi', every(set({ openInterest: null })), ({ query }) => query.getAll('product_id').length > 1),
  },
  {
    title: 'a sum carries the id of the last product_id',
    detectedBy: ['volume: a sum carries'],
    changeQuery: ({ name, query }) => (name === 'chartVoi' ? new URLSearchParams([...query].toReversed()) : query),
  },
  {
    title: 'a sum carries the smallest id',
    detectedBy: ['volume: a sum carries'],
    changeQuery: ({ name, query }) =>
      name === 'chartVoi' ? new URLSearchParams([...query].sort(([, a], [, b]) => (a < b ? -1 : 1))) : query,
  },
  {
    title: 'the default range includes old days',
    detectedBy: ['volume: without a range'],
    ...changeRows('chartVoi', first(set({ date: '2001-01-01' }))),
  },
  {
    title: 'contracts without notional',
    detectedBy: ['volume: contracts and notional'],
    ...changeRows('chartVoi', every(set({ notionalVolume: null }))),
  },
];

const OLD_INTERVAL = { interval_start: '2001-01-01T00:00:00Z', interval_end: '2001-01-01T08:00:00Z' };

const funding: readonly Defect[] = [
  {
    title: 'a latest rate appears twice',
    detectedBy: ['without begin_time, only the latest'],
    ...changeRows('fundingRates', twice, lacks('begin_time')),
  },
  {
    title: 'an interval of nine hours',
    detectedBy: ['intervals last eight hours'],
    ...changeRows('fundingRates', first(later('interval_end', 1)), has('begin_time')),
  },
  {
    title: 'an interval that has not ended',
    detectedBy: ['the interval in progress is not'],
    ...changeRows('fundingRates', first(later('interval_end', 48)), has('begin_time')),
  },
  {
    title: 'a gap in the history',
    detectedBy: ['history has no gaps'],
    ...changeRows('fundingRates', (all) => all.toSpliced(1, 1), has('begin_time')),
  },
  { title: 'asc is desc', detectedBy: ['order=asc'], ...changeRows('fundingRates', reversed, is('order', 'asc')) },
  {
    title: 'a row before the range',
    detectedBy: ['rows are within the requested range'],
    ...changeRows('fundingRates', (all) => all.concat({ ...all[0], ...OLD_INTERVAL }), has('end_time')),
  },
  {
    title: 'a row is missing with base_symbol',
    detectedBy: ['base_symbol and product_id'],
    ...changeRows('fundingRates', withoutFirst, has('base_symbol')),
  },
  {
    title: 'a page loses its first row',
    detectedBy: ['pages return every row once'],
    ...changeRows('fundingRates', withoutFirst, has('cursor')),
  },
  {
    title: 'a page is too long',
    detectedBy: ['limit sets the page size'],
    ...changeRows('fundingRates', twice, is('limit', '5')),
  },
  {
    title: 'a page is one row short by default',
    detectedBy: ['a page has 100'],
    ...changeRows('fundingRates', withoutLast, lacks('limit')),
  },
  {
    title: 'the predicted rate covers a past interval',
    detectedBy: ['the predicted rate covers'],
    ...changeRows('fundingEstimated', every(set(OLD_INTERVAL))),
  },
  {
    title: 'a perpetual has no latest rate',
    detectedBy: ['without begin_time, only the latest'],
    ...changeRows('fundingRates', withoutFirst, lacks('begin_time')),
  },
  {
    title: 'rates are implausibly large',
    detectedBy: ['rates are fractions'],
    ...changeRows('fundingRates', every(set({ funding_rate: 0.04 }))),
  },
  {
    title: 'predicted rates are in percent',
    detectedBy: ['predicted rates are fractions'],
    ...changeRows('fundingEstimated', every(times('funding_rate', 100))),
  },
  {
    title: 'another interest rate',
    detectedBy: ['the interest rate is'],
    ...changeRows('fundingRates', every(set({ interest_rate: 0.0002 }))),
  },
  {
    title: 'every product has a predicted rate',
    detectedBy: ['products other than perpetuals'],
    ...status('fundingEstimated', json('{}')),
  },
  {
    title: 'a cursor is accepted with any filter',
    detectedBy: ['a cursor is refused with another'],
    ...ignoring('cursor', 'fundingRates'),
  },
];

const isNow = is('end_time', 'now');

const ranges: readonly Defect[] = RANGED_NAMES.flatMap((name) => {
  const detectedBy = [`${ENDPOINTS[name].path}: end_time=now`];
  const newestFirst = ENDPOINTS[name].paged;
  return [
    {
      title: `${name} refuses end_time=now`,
      detectedBy,
      ...status(name, { status: 400, type: 'text/plain', text: 'end_time is no time' }, isNow),
    },
    {
      title: `now is earlier than now in ${name}`,
      detectedBy,
      ...changeRows(name, newestFirst ? withoutFirst : withoutLast, isNow),
    },
  ];
});

const trailing: readonly Defect[] = [
  {
    title: 'a product appears twice',
    detectedBy: ['each product appears once'],
    ...changeRows('trailingStatsAll', twice),
  },
  {
    title: 'zero instead of null',
    detectedBy: ['products without trades'],
    ...changeRows(
      'trailingStatsAll',
      every((row) => (row['volume'] === null ? set({ volume: 0, notionalVolume: 0 })(row) : row)),
    ),
  },
  {
    title: 'one product differs',
    detectedBy: ['one product’s statistics'],
    ...changeRows('trailingStats', every(plus('volume', 1))),
  },
  {
    title: 'a product is missing',
    detectedBy: ['only active products'],
    ...changeRows('trailingStatsAll', withoutLast),
  },
];

export const MARKET_TAMPERINGS: readonly Defect[] = [
  ...agreement,
  ...units,
  ...charts,
  ...funding,
  ...ranges,
  ...trailing,
];
