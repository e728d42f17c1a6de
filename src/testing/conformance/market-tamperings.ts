import { ENDPOINTS } from '#contract/endpoints.ts';
import { RANGED_NAMES } from './ranges.ts';
import {
  blindTo,
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
  rows,
  set,
  status,
  times,
  twice,
  withoutFirst,
  withoutLast,
  type Wrong,
} from './tampering.ts';

const agreement: readonly Wrong[] = [
  {
    wrong: 'candles count a contract more',
    noticedBy: ['volume of a day is'],
    ...rows('chartPrice', every(ofCandle(plus('volume', 1)))),
  },
  {
    wrong: 'cents are a hundred times too many',
    noticedBy: ['the value traded'],
    ...rows('chartVoi', every(times('notionalVolume', 100))),
  },
  {
    wrong: 'trailing volume is inflated',
    noticedBy: ['trailing volume lies'],
    ...rows('trailingStats', every(times('volume', 1000))),
  },
  {
    wrong: 'the mark is in another unit',
    noticedBy: ['funding mark'],
    ...rows('fundingRates', every(times('mark_price', 1.5))),
  },
  {
    wrong: 'resting orders are hidden',
    noticedBy: ['resting orders are in history'],
    ...rows('ordersWorking', () => []),
  },
  {
    wrong: 'a single resting order is hidden',
    noticedBy: ['resting orders are in history'],
    ...rows('ordersWorking', withoutFirst),
  },
  {
    wrong: 'an order names another product',
    noticedBy: ['an order’s product'],
    ...rows('orders', first(set({ symbol: 'XXX' }))),
  },
  {
    wrong: 'one specification differs',
    noticedBy: ['one specification'],
    ...rows('productSpec', every(plus('contract_size', 1))),
  },
  {
    wrong: 'an order is of the future',
    noticedBy: ['a working order’s times'],
    ...rows('ordersWorking', first(set({ time: '2099-01-01T00:00:00Z' }))),
  },
];

const units: readonly Wrong[] = [
  ...[100, 0.001].map((factor) => ({
    wrong: `trailing value is ${String(factor)} times what it is`,
    noticedBy: ['trailing value is in USD'],
    ...rows('trailingStats', every(times('notionalVolume', factor))),
  })),
  {
    wrong: 'the value of open interest is in USD',
    noticedBy: ['the value of open interest'],
    ...rows('chartVoi', every((row) => set({ notionalOpenInterest: Math.round(Number(row['notionalOpenInterest']) / 100) })(row))),
  },
  {
    wrong: 'settlements are 10 % too high',
    noticedBy: ['settlements are near'],
    ...rows('chartPrice', every((row) => set({ settlementPrice: (Number(row['settlementPrice']) * 1.1).toFixed(10) })(row))),
  },
  {
    wrong: 'order prices are in another unit',
    noticedBy: ['order prices are in ticks'],
    ...rows('orders', every(times('price', 5))),
  },
  {
    wrong: 'mean prices are in another unit',
    noticedBy: ['mean prices of orders'],
    ...rows('orders', every(times('avg_price', 0.001))),
  },
  {
    wrong: 'the index is in another unit',
    noticedBy: ['the index of a perpetual'],
    ...rows('fundingRates', every(times('price_index', 5))),
  },
];

const charts: readonly Wrong[] = [
  { wrong: 'a day comes twice', noticedBy: ['prices: one row'], ...rows('chartPrice', twice) },
  { wrong: 'days are backwards', noticedBy: ['prices: oldest day first'], ...rows('chartPrice', reversed) },
  {
    wrong: 'the default range is short',
    noticedBy: ['prices: without a range'],
    ...rows('chartPrice', (all) => all.slice(-5), lacks('begin_time')),
  },
  {
    wrong: 'high and low are swapped',
    noticedBy: ['prices: low at most'],
    ...rows('chartPrice', every(ofCandle((ohlc) => ({ ...ohlc, high: ohlc['low'], low: ohlc['high'], open: '0.5' })))),
  },
  {
    wrong: 'a price is written shorter',
    noticedBy: ['prices: all with the same'],
    ...rows('chartPrice', first(ofCandle((ohlc) => ({ ...ohlc, open: '0.5' })))),
  },
  {
    wrong: 'a day before the range',
    noticedBy: ['prices: days are within'],
    ...rows('chartPrice', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')),
  },
  {
    wrong: 'the start is left out',
    noticedBy: ['prices: the start of a range'],
    ...rows('chartPrice', withoutFirst, has('begin_time', 'end_time')),
  },
  {
    wrong: 'now is earlier than now',
    noticedBy: ['prices: end_time=now'],
    ...rows('chartPrice', withoutLast, is('end_time', 'now')),
  },
  ...(['chartPrice', 'chartVoi'] as const).flatMap((name) =>
    ['begin_time', 'end_time'].map((bound) => ({
      wrong: `${bound} of ${name} is overlooked`,
      noticedBy: [name === 'chartPrice' ? 'prices: days are within' : 'volume: days are within'],
      ...blindTo(bound, name),
    })),
  ),
  { wrong: 'a product has two rows a day', noticedBy: ['volume: each product'], ...rows('chartVoi', twice) },
  {
    wrong: 'another product slips in',
    noticedBy: ['volume: one product_id'],
    ...rows(
      'chartVoi',
      (all) => all.concat({ ...all[0], productId: 1 }),
      ({ query }) => query.getAll('product_id').length === 1,
    ),
  },
  {
    wrong: 'a sum is off by one',
    noticedBy: ['volume: several product_id'],
    ...rows('chartVoi', every(plus('volume', 1)), ({ query }) => query.getAll('product_id').length > 1),
  },
  {
    wrong: 'all products together differ',
    noticedBy: ['volume: without product_id'],
    ...rows('chartVoi', every(plus('volume', 1)), lacks('product_id')),
  },
  {
    wrong: 'one part hides the others',
    noticedBy: ['volume: a sum is null'],
    ...rows('chartVoi', every(set({ openInterest: null })), ({ query }) => query.getAll('product_id').length > 1),
  },
  {
    wrong: 'a sum goes by the name of the last one',
    noticedBy: ['volume: a sum goes by'],
    ask: ({ name, query }) => (name === 'chartVoi' ? new URLSearchParams([...query].toReversed()) : query),
  },
  {
    wrong: 'a sum goes by the name of the smallest id',
    noticedBy: ['volume: a sum goes by'],
    ask: ({ name, query }) => (name === 'chartVoi' ? new URLSearchParams([...query].sort(([, a], [, b]) => (a < b ? -1 : 1))) : query),
  },
  {
    wrong: 'old days come by default',
    noticedBy: ['volume: without a range'],
    ...rows('chartVoi', first(set({ date: '2001-01-01' }))),
  },
  {
    wrong: 'contracts without value',
    noticedBy: ['volume: contracts and their value'],
    ...rows('chartVoi', every(set({ notionalVolume: null }))),
  },
];

const OLD_INTERVAL = { interval_start: '2001-01-01T00:00:00Z', interval_end: '2001-01-01T08:00:00Z' };

const funding: readonly Wrong[] = [
  {
    wrong: 'a latest rate comes twice',
    noticedBy: ['without begin_time, the latest'],
    ...rows('fundingRates', twice, lacks('begin_time')),
  },
  {
    wrong: 'an interval of nine hours',
    noticedBy: ['intervals are eight hours'],
    ...rows('fundingRates', first(later('interval_end', 1)), has('begin_time')),
  },
  {
    wrong: 'an interval that has not ended',
    noticedBy: ['the interval in progress is not'],
    ...rows('fundingRates', first(later('interval_end', 48)), has('begin_time')),
  },
  {
    wrong: 'a hole in the history',
    noticedBy: ['history is without holes'],
    ...rows('fundingRates', (all) => all.toSpliced(1, 1), has('begin_time')),
  },
  { wrong: 'asc is desc', noticedBy: ['order=asc'], ...rows('fundingRates', reversed, is('order', 'asc')) },
  {
    wrong: 'a row before the range',
    noticedBy: ['a range is kept'],
    ...rows('fundingRates', (all) => all.concat({ ...all[0], ...OLD_INTERVAL }), has('end_time')),
  },
  {
    wrong: 'the base symbol misses a row',
    noticedBy: ['base_symbol and product_id'],
    ...rows('fundingRates', withoutFirst, has('base_symbol')),
  },
  {
    wrong: 'a page loses its first row',
    noticedBy: ['pages give every row once'],
    ...rows('fundingRates', withoutFirst, has('cursor')),
  },
  { wrong: 'a page is too long', noticedBy: ['limit is kept'], ...rows('fundingRates', twice, is('limit', '5')) },
  {
    wrong: 'a page is shorter by default',
    noticedBy: ['a page has 100'],
    ...rows('fundingRates', withoutLast, lacks('limit')),
  },
  {
    wrong: 'the estimate is of a past interval',
    noticedBy: ['the estimate is of'],
    ...rows('fundingEstimated', every(set(OLD_INTERVAL))),
  },
  {
    wrong: 'a perpetual has no latest rate',
    noticedBy: ['without begin_time, the latest'],
    ...rows('fundingRates', withoutFirst, lacks('begin_time')),
  },
  {
    wrong: 'rates are of another market',
    noticedBy: ['rates are fractions'],
    ...rows('fundingRates', every(set({ funding_rate: 0.04 }))),
  },
  {
    wrong: 'estimates are in percent',
    noticedBy: ['estimates are fractions'],
    ...rows('fundingEstimated', every(times('funding_rate', 100))),
  },
  {
    wrong: 'another interest rate',
    noticedBy: ['the interest rate is'],
    ...rows('fundingRates', every(set({ interest_rate: 0.0002 }))),
  },
  { wrong: 'everything has an estimate', noticedBy: ['no estimate for'], ...status('fundingEstimated', json('{}')) },
  {
    wrong: 'a cursor goes with any filter',
    noticedBy: ['a cursor asked for with another'],
    ...blindTo('cursor', 'fundingRates'),
  },
];

const isNow = is('end_time', 'now');

const ranges: readonly Wrong[] = RANGED_NAMES.flatMap((name) => {
  const noticedBy = [`${ENDPOINTS[name].path}: end_time=now`];
  const newestFirst = ENDPOINTS[name].paged;
  return [
    { wrong: `${name} refuses now`, noticedBy, ...status(name, { status: 400, type: 'text/plain', text: 'end_time is no time' }, isNow) },
    { wrong: `now is earlier than now in ${name}`, noticedBy, ...rows(name, newestFirst ? withoutFirst : withoutLast, isNow) },
  ];
});

const trailing: readonly Wrong[] = [
  { wrong: 'a product comes twice', noticedBy: ['each product once'], ...rows('trailingStatsAll', twice) },
  {
    wrong: 'zero instead of null',
    noticedBy: ['nothing traded is null'],
    ...rows(
      'trailingStatsAll',
      every((row) => (row['volume'] === null ? set({ volume: 0, notionalVolume: 0 })(row) : row)),
    ),
  },
  {
    wrong: 'one product differs',
    noticedBy: ['one product’s are'],
    ...rows('trailingStats', every(plus('volume', 1))),
  },
  { wrong: 'a product is missing', noticedBy: ['only active products'], ...rows('trailingStatsAll', withoutLast) },
];

export const MARKET_TAMPERINGS: readonly Wrong[] = [...agreement, ...units, ...charts, ...funding, ...ranges, ...trailing];
