import { ENDPOINTS } from '#contract/endpoints.ts';
import { RANGED_NAMES } from './ranges.ts';
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
    title: 'candles count a contract more',
    detectedBy: ['volume of a day is'],
    ...changeRows('chartPrice', every(ofCandle(plus('volume', 1)))),
  },
  {
    title: 'cents are a hundred times too many',
    detectedBy: ['the value traded'],
    ...changeRows('chartVoi', every(times('notionalVolume', 100))),
  },
  {
    title: 'trailing volume is inflated',
    detectedBy: ['trailing volume lies'],
    ...changeRows('trailingStats', every(times('volume', 1000))),
  },
  {
    title: 'the mark is in another unit',
    detectedBy: ['funding mark'],
    ...changeRows('fundingRates', every(times('mark_price', 1.5))),
  },
  {
    title: 'resting orders are hidden',
    detectedBy: ['resting orders are in history'],
    ...changeRows('ordersWorking', () => []),
  },
  {
    title: 'a single resting order is hidden',
    detectedBy: ['resting orders are in history'],
    ...changeRows('ordersWorking', withoutFirst),
  },
  {
    title: 'an order names another product',
    detectedBy: ['an order’s product'],
    ...changeRows('orders', first(set({ symbol: 'XXX' }))),
  },
  {
    title: 'one specification differs',
    detectedBy: ['one specification'],
    ...changeRows('productSpec', every(plus('contract_size', 1))),
  },
  {
    title: 'an order is of the future',
    detectedBy: ['a working order’s times'],
    ...changeRows('ordersWorking', first(set({ time: '2099-01-01T00:00:00Z' }))),
  },
];

const units: readonly Defect[] = [
  ...[100, 0.001].map((factor) => ({
    title: `trailing value is ${String(factor)} times what it is`,
    detectedBy: ['trailing value is in USD'],
    ...changeRows('trailingStats', every(times('notionalVolume', factor))),
  })),
  {
    title: 'the value of open interest is in USD',
    detectedBy: ['the value of open interest'],
    ...changeRows('chartVoi', every((row) => set({ notionalOpenInterest: Math.round(Number(row['notionalOpenInterest']) / 100) })(row))),
  },
  {
    title: 'settlements are 10 % too high',
    detectedBy: ['settlements are near'],
    ...changeRows('chartPrice', every((row) => set({ settlementPrice: (Number(row['settlementPrice']) * 1.1).toFixed(10) })(row))),
  },
  {
    title: 'order prices are in another unit',
    detectedBy: ['order prices are in ticks'],
    ...changeRows('orders', every(times('price', 5))),
  },
  {
    title: 'mean prices are in another unit',
    detectedBy: ['mean prices of orders'],
    ...changeRows('orders', every(times('avg_price', 0.001))),
  },
  {
    title: 'the index is in another unit',
    detectedBy: ['the index of a perpetual'],
    ...changeRows('fundingRates', every(times('price_index', 5))),
  },
];

const charts: readonly Defect[] = [
  { title: 'a day comes twice', detectedBy: ['prices: one row'], ...changeRows('chartPrice', twice) },
  { title: 'days are backwards', detectedBy: ['prices: oldest day first'], ...changeRows('chartPrice', reversed) },
  {
    title: 'the default range is short',
    detectedBy: ['prices: without a range'],
    ...changeRows('chartPrice', (all) => all.slice(-5), lacks('begin_time')),
  },
  {
    title: 'high and low are swapped',
    detectedBy: ['prices: low at most'],
    ...changeRows('chartPrice', every(ofCandle((ohlc) => ({ ...ohlc, high: ohlc['low'], low: ohlc['high'], open: '0.5' })))),
  },
  {
    title: 'a price is written shorter',
    detectedBy: ['prices: all with the same'],
    ...changeRows('chartPrice', first(ofCandle((ohlc) => ({ ...ohlc, open: '0.5' })))),
  },
  {
    title: 'a day before the range',
    detectedBy: ['prices: days are within'],
    ...changeRows('chartPrice', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')),
  },
  {
    title: 'the start is left out',
    detectedBy: ['prices: the start of a range'],
    ...changeRows('chartPrice', withoutFirst, has('begin_time', 'end_time')),
  },
  {
    title: 'now is earlier than now',
    detectedBy: ['prices: end_time=now'],
    ...changeRows('chartPrice', withoutLast, is('end_time', 'now')),
  },
  ...(['chartPrice', 'chartVoi'] as const).flatMap((name) =>
    ['begin_time', 'end_time'].map((bound) => ({
      title: `${bound} of ${name} is overlooked`,
      detectedBy: [name === 'chartPrice' ? 'prices: days are within' : 'volume: days are within'],
      ...ignoring(bound, name),
    })),
  ),
  { title: 'a product has two rows a day', detectedBy: ['volume: each product'], ...changeRows('chartVoi', twice) },
  {
    title: 'another product slips in',
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
    title: 'one part hides the others',
    detectedBy: ['volume: a sum is null'],
    ...changeRows('chartVoi', every(set({ openInterest: null })), ({ query }) => query.getAll('product_id').length > 1),
  },
  {
    title: 'a sum goes by the name of the last one',
    detectedBy: ['volume: a sum goes by'],
    changeQuery: ({ name, query }) => (name === 'chartVoi' ? new URLSearchParams([...query].toReversed()) : query),
  },
  {
    title: 'a sum goes by the name of the smallest id',
    detectedBy: ['volume: a sum goes by'],
    changeQuery: ({ name, query }) => (name === 'chartVoi' ? new URLSearchParams([...query].sort(([, a], [, b]) => (a < b ? -1 : 1))) : query),
  },
  {
    title: 'old days come by default',
    detectedBy: ['volume: without a range'],
    ...changeRows('chartVoi', first(set({ date: '2001-01-01' }))),
  },
  {
    title: 'contracts without value',
    detectedBy: ['volume: contracts and their value'],
    ...changeRows('chartVoi', every(set({ notionalVolume: null }))),
  },
];

const OLD_INTERVAL = { interval_start: '2001-01-01T00:00:00Z', interval_end: '2001-01-01T08:00:00Z' };

const funding: readonly Defect[] = [
  {
    title: 'a latest rate comes twice',
    detectedBy: ['without begin_time, the latest'],
    ...changeRows('fundingRates', twice, lacks('begin_time')),
  },
  {
    title: 'an interval of nine hours',
    detectedBy: ['intervals are eight hours'],
    ...changeRows('fundingRates', first(later('interval_end', 1)), has('begin_time')),
  },
  {
    title: 'an interval that has not ended',
    detectedBy: ['the interval in progress is not'],
    ...changeRows('fundingRates', first(later('interval_end', 48)), has('begin_time')),
  },
  {
    title: 'a hole in the history',
    detectedBy: ['history is without holes'],
    ...changeRows('fundingRates', (all) => all.toSpliced(1, 1), has('begin_time')),
  },
  { title: 'asc is desc', detectedBy: ['order=asc'], ...changeRows('fundingRates', reversed, is('order', 'asc')) },
  {
    title: 'a row before the range',
    detectedBy: ['a range is kept'],
    ...changeRows('fundingRates', (all) => all.concat({ ...all[0], ...OLD_INTERVAL }), has('end_time')),
  },
  {
    title: 'the base symbol misses a row',
    detectedBy: ['base_symbol and product_id'],
    ...changeRows('fundingRates', withoutFirst, has('base_symbol')),
  },
  {
    title: 'a page loses its first row',
    detectedBy: ['pages give every row once'],
    ...changeRows('fundingRates', withoutFirst, has('cursor')),
  },
  { title: 'a page is too long', detectedBy: ['limit is kept'], ...changeRows('fundingRates', twice, is('limit', '5')) },
  {
    title: 'a page is shorter by default',
    detectedBy: ['a page has 100'],
    ...changeRows('fundingRates', withoutLast, lacks('limit')),
  },
  {
    title: 'the estimate is of a past interval',
    detectedBy: ['the estimate is of'],
    ...changeRows('fundingEstimated', every(set(OLD_INTERVAL))),
  },
  {
    title: 'a perpetual has no latest rate',
    detectedBy: ['without begin_time, the latest'],
    ...changeRows('fundingRates', withoutFirst, lacks('begin_time')),
  },
  {
    title: 'rates are of another market',
    detectedBy: ['rates are fractions'],
    ...changeRows('fundingRates', every(set({ funding_rate: 0.04 }))),
  },
  {
    title: 'estimates are in percent',
    detectedBy: ['estimates are fractions'],
    ...changeRows('fundingEstimated', every(times('funding_rate', 100))),
  },
  {
    title: 'another interest rate',
    detectedBy: ['the interest rate is'],
    ...changeRows('fundingRates', every(set({ interest_rate: 0.0002 }))),
  },
  { title: 'everything has an estimate', detectedBy: ['no estimate for'], ...status('fundingEstimated', json('{}')) },
  {
    title: 'a cursor goes with any filter',
    detectedBy: ['a cursor asked for with another'],
    ...ignoring('cursor', 'fundingRates'),
  },
];

const isNow = is('end_time', 'now');

const ranges: readonly Defect[] = RANGED_NAMES.flatMap((name) => {
  const detectedBy = [`${ENDPOINTS[name].path}: end_time=now`];
  const newestFirst = ENDPOINTS[name].paged;
  return [
    { title: `${name} refuses now`, detectedBy, ...status(name, { status: 400, type: 'text/plain', text: 'end_time is no time' }, isNow) },
    { title: `now is earlier than now in ${name}`, detectedBy, ...changeRows(name, newestFirst ? withoutFirst : withoutLast, isNow) },
  ];
});

const trailing: readonly Defect[] = [
  { title: 'a product comes twice', detectedBy: ['each product once'], ...changeRows('trailingStatsAll', twice) },
  {
    title: 'zero instead of null',
    detectedBy: ['nothing traded is null'],
    ...changeRows(
      'trailingStatsAll',
      every((row) => (row['volume'] === null ? set({ volume: 0, notionalVolume: 0 })(row) : row)),
    ),
  },
  {
    title: 'one product differs',
    detectedBy: ['one product’s are'],
    ...changeRows('trailingStats', every(plus('volume', 1))),
  },
  { title: 'a product is missing', detectedBy: ['only active products'], ...changeRows('trailingStatsAll', withoutLast) },
];

export const MARKET_TAMPERINGS: readonly Defect[] = [...agreement, ...units, ...charts, ...funding, ...ranges, ...trailing];
