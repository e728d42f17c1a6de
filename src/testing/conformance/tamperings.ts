import { ENDPOINT_NAMES, type EndpointName } from '#contract/endpoints.ts';
import { ORDER_FILTERS } from './orders.ts';
import type { TamperedAnswer, TamperedQuestion, Tampering } from './tampering-proxy.ts';

/** Ways for an exchange to be wrong, each with the checks that must notice it (by the beginning of their titles). */
export interface Wrong extends Tampering {
  readonly wrong: string;
  readonly noticedBy: readonly string[];
}

type Row = Record<string, unknown>;
type When = (question: TamperedQuestion) => boolean;

/** Changes the rows of an endpoint's answers, where the question is of the kind asked for. */
function rows(name: EndpointName, change: (rows: Row[]) => Row[], when: When = () => true): Tampering {
  return {
    answer: (answer, question) => {
      if (question.name !== name || answer.status !== 200 || !when(question)) return answer;
      const value = JSON.parse(answer.text) as Row | Row[];
      return { ...answer, text: JSON.stringify(changeRows(value, change)) };
    },
  };
}

function changeRows(value: Row | Row[], change: (rows: Row[]) => Row[]): unknown {
  if (Array.isArray(value)) return change(value);
  if (Array.isArray(value['data'])) return { ...value, data: change(value['data'] as Row[]) };
  return change([value])[0];
}

const has = (...names: readonly string[]): When => ({ query }) => names.every((name) => query.has(name));
const lacks = (name: string): When => ({ query }) => !query.has(name);
const is = (name: string, value: string): When => ({ query }) => query.get(name) === value;

const every = (change: (row: Row) => Row) => (all: Row[]) => all.map(change);
const first = (change: (row: Row) => Row) => (all: Row[]) => all.map((row, index) => (index === 0 ? change(row) : row));
const twice = (all: Row[]) => all.slice(0, 1).concat(all);
const reversed = (all: Row[]) => all.toReversed();
const withoutFirst = (all: Row[]) => all.slice(1);
const withoutLast = (all: Row[]) => all.slice(0, -1);
const set = (values: Row) => (row: Row) => ({ ...row, ...values });
const plus = (field: string, amount: number) => (row: Row) => (row[field] === null ? row : { ...row, [field]: Number(row[field]) + amount });
const times = (field: string, factor: number) => (row: Row) => (row[field] === null ? row : { ...row, [field]: Number(row[field]) * factor });
const later = (field: string, hours: number) => (row: Row) => ({ ...row, [field]: new Date(Date.parse(String(row[field])) + hours * 3_600_000).toISOString() });
const ofCandle = (change: (ohlc: Row) => Row) => (row: Row) => ({ ...row, ohlc: change(row['ohlc'] as Row) });

/** The exchange behaves as if it did not see a parameter. */
function blindTo(parameter: string, name: EndpointName, when: When = () => true): Tampering {
  return {
    ask: (question) => {
      const query = new URLSearchParams(question.query);
      if (question.name === name && when(question)) query.delete(parameter);
      return query;
    },
  };
}

function status(name: EndpointName, answer: TamperedAnswer): Tampering {
  return { answer: (good, question) => (question.name === name ? answer : good) };
}

const json = (text: string): TamperedAnswer => ({ status: 200, type: 'application/json', text });

const agreement: readonly Wrong[] = [
  { wrong: 'candles count a contract more', noticedBy: ['volume of a day is'], ...rows('chartPrice', every(ofCandle(plus('volume', 1)))) },
  { wrong: 'cents are a hundred times too many', noticedBy: ['the value traded'], ...rows('chartVoi', every(times('notionalVolume', 100))) },
  { wrong: 'trailing volume is inflated', noticedBy: ['trailing volume lies'], ...rows('trailingStats', every(times('volume', 1000))) },
  { wrong: 'the mark is in another unit', noticedBy: ['funding mark'], ...rows('fundingRates', every(times('mark_price', 1.5))) },
  { wrong: 'resting orders are hidden', noticedBy: ['resting orders are in history'], ...rows('ordersWorking', () => []) },
  { wrong: 'an order names another product', noticedBy: ['an order’s product'], ...rows('orders', first(set({ symbol: 'XXX' }))) },
  { wrong: 'one specification differs', noticedBy: ['one specification'], ...rows('productSpec', every(plus('contract_size', 1))) },
  { wrong: 'an order is of the future', noticedBy: ['a working order’s times'], ...rows('ordersWorking', first(set({ time: '2099-01-01T00:00:00Z' }))) },
];

const charts: readonly Wrong[] = [
  { wrong: 'a day comes twice', noticedBy: ['prices: one row'], ...rows('chartPrice', twice) },
  { wrong: 'days are backwards', noticedBy: ['prices: oldest day first'], ...rows('chartPrice', reversed) },
  { wrong: 'the default range is short', noticedBy: ['prices: without a range'], ...rows('chartPrice', (all) => all.slice(-5), lacks('begin_time')) },
  { wrong: 'high and low are swapped', noticedBy: ['prices: low at most'], ...rows('chartPrice', every(ofCandle((ohlc) => ({ ...ohlc, high: ohlc['low'], low: ohlc['high'], open: '0.5' })))) },
  { wrong: 'a price is written shorter', noticedBy: ['prices: all with the same'], ...rows('chartPrice', first(ofCandle((ohlc) => ({ ...ohlc, open: '0.5' })))) },
  { wrong: 'a day before the range', noticedBy: ['prices: days are within'], ...rows('chartPrice', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')) },
  { wrong: 'the start is left out', noticedBy: ['prices: the start of a range'], ...rows('chartPrice', withoutFirst, has('begin_time', 'end_time')) },
  { wrong: 'now is earlier than now', noticedBy: ['prices: end_time=now'], ...rows('chartPrice', withoutLast, is('end_time', 'now')) },
  { wrong: 'a product has two rows a day', noticedBy: ['volume: each product'], ...rows('chartVoi', twice) },
  { wrong: 'another product slips in', noticedBy: ['volume: one product_id'], ...rows('chartVoi', (all) => all.concat({ ...all[0], productId: 1 }), ({ query }) => query.getAll('product_id').length === 1) },
  { wrong: 'a sum is off by one', noticedBy: ['volume: several product_id'], ...rows('chartVoi', every(plus('volume', 1)), ({ query }) => query.getAll('product_id').length > 1) },
  { wrong: 'all products together differ', noticedBy: ['volume: without product_id'], ...rows('chartVoi', every(plus('volume', 1)), lacks('product_id')) },
  { wrong: 'one part hides the others', noticedBy: ['volume: a sum is null'], ...rows('chartVoi', every(set({ openInterest: null })), ({ query }) => query.getAll('product_id').length > 1) },
  { wrong: 'old days come by default', noticedBy: ['volume: without a range'], ...rows('chartVoi', first(set({ date: '2001-01-01' }))) },
  { wrong: 'contracts without value', noticedBy: ['volume: contracts and their value'], ...rows('chartVoi', every(set({ notionalVolume: null }))) },
];

const OLD_INTERVAL = { interval_start: '2001-01-01T00:00:00Z', interval_end: '2001-01-01T08:00:00Z' };

const funding: readonly Wrong[] = [
  { wrong: 'a latest rate comes twice', noticedBy: ['without begin_time, the latest'], ...rows('fundingRates', twice, lacks('begin_time')) },
  { wrong: 'an interval of nine hours', noticedBy: ['intervals are eight hours'], ...rows('fundingRates', first(later('interval_end', 1)), has('begin_time')) },
  { wrong: 'an interval that has not ended', noticedBy: ['the interval in progress is not'], ...rows('fundingRates', first(later('interval_end', 48)), has('begin_time')) },
  { wrong: 'a hole in the history', noticedBy: ['history is without holes'], ...rows('fundingRates', (all) => all.toSpliced(1, 1), has('begin_time')) },
  { wrong: 'asc is desc', noticedBy: ['order=asc'], ...rows('fundingRates', reversed, is('order', 'asc')) },
  { wrong: 'a row before the range', noticedBy: ['a range is kept'], ...rows('fundingRates', (all) => all.concat({ ...all[0], ...OLD_INTERVAL }), has('end_time')) },
  { wrong: 'the base symbol misses a row', noticedBy: ['base_symbol and product_id'], ...rows('fundingRates', withoutFirst, has('base_symbol')) },
  { wrong: 'a page loses its first row', noticedBy: ['pages give every row once'], ...rows('fundingRates', withoutFirst, has('cursor')) },
  { wrong: 'a page is too long', noticedBy: ['limit is kept'], ...rows('fundingRates', twice, is('limit', '5')) },
  { wrong: 'the estimate is of a past interval', noticedBy: ['the estimate is of'], ...rows('fundingEstimated', every(set(OLD_INTERVAL))) },
  { wrong: 'another interest rate', noticedBy: ['a rate is the mean premium'], ...rows('fundingRates', every(set({ interest_rate: 0.0002 }))) },
  { wrong: 'everything has an estimate', noticedBy: ['no estimate for'], ...status('fundingEstimated', json('{}')) },
  { wrong: 'a cursor goes with any filter', noticedBy: ['a cursor asked for with another'], ...blindTo('cursor', 'fundingRates') },
];

const FOREIGN: Readonly<Record<string, unknown>> = {
  symbol: 'XXX',
  product_id: 1,
  product_type: 'Option',
  clearing_member_code: 'XXX',
  account_id: 'XXX',
  connection_id: 'ffff',
};
const NOBODY = is('account_id', 'NO-SUCH-ACCOUNT');

const history: readonly Wrong[] = [
  { wrong: 'oldest first by default', noticedBy: ['history: latest first'], ...rows('orders', reversed, lacks('order')) },
  { wrong: 'asc is desc', noticedBy: ['history: order=asc'], ...rows('orders', reversed, is('order', 'asc')) },
  { wrong: 'small ids', noticedBy: ['history: ids are'], ...rows('orders', every(set({ id: '5' }))) },
  { wrong: 'filled beyond the request', noticedBy: ['history: quantities'], ...rows('orders', every(set({ quantity_filled: 1_000_000_000 }))) },
  { wrong: 'a mean price without a fill', noticedBy: ['history: avg_price'], ...rows('orders', every(set({ avg_price: 1 }))) },
  { wrong: 'nothing ever closes', noticedBy: ['history: an order filled in full'], ...rows('orders', every(set({ status: 'Working' }))) },
  { wrong: 'a page loses its first row', noticedBy: ['history: pages lose nothing'], ...rows('orders', withoutFirst, has('cursor')) },
  { wrong: 'the end of the range is not kept', noticedBy: ['history: the end is told'], ...blindTo('end_time', 'orders') },
  { wrong: 'an order before the range', noticedBy: ['history: orders are within'], ...rows('orders', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')) },
  { wrong: 'the first of a range is left out', noticedBy: ['history: begin_time is part'], ...rows('orders', withoutLast, has('begin_time', 'end_time')) },
  { wrong: 'a range beside a day empties it', noticedBy: ['history: day overrides'], ...rows('orders', () => [], has('day', 'begin_time')) },
  { wrong: 'the second filter is not kept', noticedBy: ['history: two filters'], ...rows('orders', first(set({ symbol: 'XXX' })), has('account_id', 'symbol')) },
  { wrong: 'an unknown account sees everything', noticedBy: ['history: a filter that nothing'], ...blindTo('account_id', 'orders', NOBODY) },
  { wrong: 'any cursor will do', noticedBy: ['history: a changed cursor'], ...blindTo('cursor', 'orders') },
  ...ORDER_FILTERS.map(([name, field]) => ({
    wrong: `${name} lets another pass`,
    noticedBy: [`history: ${name} keeps only`],
    ...rows('orders', first(set({ [field]: FOREIGN[name] })), has(name)),
  })),
];

const UNSUPPORTED = ['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'];

const working: readonly Wrong[] = [
  { wrong: 'a closed order rests', noticedBy: ['every one rests'], ...rows('ordersWorking', first(set({ status: 'Closed' }))) },
  { wrong: 'oldest first', noticedBy: ['by time, then id'], ...rows('ordersWorking', reversed) },
  { wrong: 'more than the limit', noticedBy: ['more than 10,000'], ...rows('ordersWorking', (all) => Array.from({ length: 10_001 }, () => ({ ...all[0] }))) },
  { wrong: 'an unknown account sees everything', noticedBy: ['an empty array'], ...blindTo('account_id', 'ordersWorking', NOBODY) },
  ...ORDER_FILTERS.map(([name, field]) => ({
    wrong: `${name} lets another pass`,
    noticedBy: [`${name} keeps only`],
    ...rows('ordersWorking', first(set({ [field]: FOREIGN[name] })), has(name)),
  })),
  ...UNSUPPORTED.map((name) => ({ wrong: `${name} is overlooked`, noticedBy: [`${name} is not supported`], ...blindTo(name, 'ordersWorking') })),
];

const trailing: readonly Wrong[] = [
  { wrong: 'a product comes twice', noticedBy: ['each product once'], ...rows('trailingStatsAll', twice) },
  { wrong: 'zero instead of null', noticedBy: ['nothing traded is null'], ...rows('trailingStatsAll', every((row) => (row['volume'] === null ? set({ volume: 0, notionalVolume: 0 })(row) : row))) },
  { wrong: 'one product differs', noticedBy: ['one product’s are'], ...rows('trailingStats', every(plus('volume', 1))) },
  { wrong: 'a product is missing', noticedBy: ['only active products'], ...rows('trailingStatsAll', withoutLast) },
];

const shapes: readonly Wrong[] = ENDPOINT_NAMES.map((name) => ({
  wrong: `a field more in ${name}`,
  // A title begins with the path; that of another endpoint may begin with it too, but reads another answer.
  noticedBy: [name],
  ...rows(name, first(set({ surprise: 1 }))),
}));

const doors: readonly Wrong[] = [
  { wrong: 'HEAD is of another type', noticedBy: ['HEAD answers'], answer: (answer, { method }) => (method === 'HEAD' ? { ...answer, type: 'text/plain' } : answer) },
  { wrong: 'every signature is good', noticedBy: ['without BTNL', 'a timestamp of another form', 'a signature', 'an unknown connection', 'another query', 'a stamp'], ask: ({ query }) => query },
  { wrong: 'no signature is good', noticedBy: ['a good signature'], ...status('orders', { status: 401, type: 'text/plain', text: '' }) },
  { wrong: 'public is private', noticedBy: ['public endpoints'], ...status('fundingRates', { status: 401, type: 'text/plain', text: '' }) },
  { wrong: 'nothing is refused', noticedBy: ['refusals'], answer: (answer) => (answer.status >= 400 ? json('[]') : answer) },
];

export const TAMPERINGS: readonly Wrong[] = [...agreement, ...charts, ...funding, ...history, ...working, ...trailing, ...shapes, ...doors];
