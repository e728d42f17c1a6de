import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { TOO_MANY_WORKING_ORDERS } from '#contract/exchange/rejections.ts';
import { ORDER_FILTERS } from './orders.ts';
import {
  changeRows,
  type Defect,
  every,
  first,
  has,
  ignoring,
  is,
  lacks,
  multiplied,
  oneMore,
  reversed,
  type Row,
  set,
  status,
  type TamperedResponse,
  together,
  withoutFirst,
  withoutLast,
} from './tampering.ts';

/**
 * Values that each filter must exclude. There are few product types, so one that differs from the requested type is
 * used.
 */
const FOREIGN: Readonly<Record<(typeof ORDER_FILTERS)[number][0], readonly unknown[]>> = {
  symbol: ['XXX'],
  product_id: [1],
  product_type: ['Option', 'Future'],
  clearing_member_code: ['XXX'],
  account_id: ['XXX'],
  connection_id: ['ffff'],
};
/** Changes an order that matches a filter into one that does not. */
const toForeign =
  ([name, field]: (typeof ORDER_FILTERS)[number]) =>
  (row: Row): Row => ({ ...row, [field]: FOREIGN[name].find((value) => value !== row[field]) });
const NOBODY = is('account_id', 'NO-SUCH-ACCOUNT');

const history: readonly Defect[] = [
  {
    title: 'oldest first by default',
    detectedBy: ['history: latest first'],
    ...changeRows('orders', reversed, lacks('order')),
  },
  { title: 'asc is desc', detectedBy: ['history: order=asc'], ...changeRows('orders', reversed, is('order', 'asc')) },
  {
    title: 'of equal times, the smallest id comes last',
    detectedBy: ['history: orders of equal time'],
    ...changeRows('orders', (all) => every(set({ time: String(all[0]?.['time']) }))(reversed(all)), is('order', 'asc')),
  },
  { title: 'small ids', detectedBy: ['history: ids are'], ...changeRows('orders', every(set({ id: '5' }))) },
  {
    title: 'filled beyond the request',
    detectedBy: ['history: quantities'],
    ...changeRows('orders', every(set({ quantity_filled: 1_000_000_000 }))),
  },
  {
    title: 'a mean price without a fill',
    detectedBy: ['history: avg_price'],
    ...changeRows('orders', every(set({ avg_price: 1 }))),
  },
  {
    title: 'no order ever closes',
    detectedBy: ['history: filled orders'],
    ...changeRows('orders', every(set({ status: 'Working' }))),
  },
  {
    title: 'a page loses its first row',
    detectedBy: ['history: pages return every order'],
    ...changeRows('orders', withoutFirst, has('cursor')),
  },
  {
    title: 'end_time is ignored',
    detectedBy: ['history: paging ends after the oldest order'],
    ...ignoring('end_time', 'orders'),
  },
  {
    title: 'an order before the range',
    detectedBy: ['history: orders are within'],
    ...changeRows('orders', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')),
  },
  {
    title: 'the first order of a range is left out',
    detectedBy: ['history: begin_time is inclusive'],
    ...changeRows('orders', withoutLast, has('begin_time', 'end_time')),
  },
  {
    title: 'a day runs from midnight to midnight',
    detectedBy: ['history: a day runs'],
    changeQuery: ({ name, query }) => {
      const day = query.get('day');
      if (name !== 'orders' || day === null) return query;
      const midnights = [0, 86_400_000].map((after) => new Date(Date.parse(day) + after).toISOString());
      const others = [...query].filter(([parameter]) => parameter !== 'day');
      return new URLSearchParams([...others, ['begin_time', midnights[0] ?? ''], ['end_time', midnights[1] ?? '']]);
    },
  },
  {
    title: 'a page is one row short by default',
    detectedBy: ['history: a page has 100'],
    ...changeRows('orders', withoutLast, lacks('limit')),
  },
  {
    title: 'a range beside a day empties it',
    detectedBy: ['history: day overrides'],
    ...changeRows('orders', () => [], has('day', 'begin_time')),
  },
  {
    title: 'the second filter is ignored',
    detectedBy: ['history: two filters'],
    ...changeRows('orders', first(set({ symbol: 'XXX' })), has('account_id', 'symbol')),
  },
  {
    title: 'an unknown account returns every order',
    detectedBy: ['history: a filter without matches'],
    ...ignoring('account_id', 'orders', NOBODY),
  },
  { title: 'every cursor is accepted', detectedBy: ['history: a changed cursor'], ...ignoring('cursor', 'orders') },
  ...ORDER_FILTERS.map((filter) => ({
    title: `${filter[0]} lets another order through`,
    detectedBy: [`history: ${filter[0]} returns all matching`],
    ...changeRows('orders', first(toForeign(filter)), has(filter[0])),
  })),
  ...ORDER_FILTERS.map(([name]) => ({
    title: `${name} loses an order while the page stays full`,
    detectedBy: [`history: ${name} returns all matching`],
    ...oneMore('orders', has(name)),
    ...changeRows('orders', withoutFirst, has(name)),
  })),
];

const CUT = changeRows('ordersWorking', (all) => multiplied(30)(all).slice(0, WORKING_ORDERS_LIMIT));
const TOO_MANY: TamperedResponse = { status: 400, type: 'text/plain', text: TOO_MANY_WORKING_ORDERS };

const UNSUPPORTED = ['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'];

const working: readonly Defect[] = [
  {
    title: 'a closed order is listed as working',
    detectedBy: ['every order is working'],
    ...changeRows('ordersWorking', first(set({ status: 'Closed' }))),
  },
  { title: 'oldest first', detectedBy: ['sorted by time'], ...changeRows('ordersWorking', reversed) },
  {
    title: 'more than the limit',
    detectedBy: ['more than 10,000'],
    ...changeRows('ordersWorking', (all) => Array.from({ length: 10_001 }, () => ({ ...all[0] }))),
  },
  {
    title: '12,000 orders are working and the response is truncated at 10,000',
    detectedBy: ['more than 10,000'],
    ...CUT,
  },
  {
    title: 'all orders are truncated at 10,000 and a part of them is refused as too many',
    detectedBy: ['more than 10,000'],
    ...together(CUT, status('ordersWorking', TOO_MANY, has('product_type'))),
  },
  {
    title: 'an unknown account returns every order',
    detectedBy: ['a filter without matches'],
    ...ignoring('account_id', 'ordersWorking', NOBODY),
  },
  ...ORDER_FILTERS.map((filter) => ({
    title: `${filter[0]} lets another order through`,
    detectedBy: [`${filter[0]} returns all matching`],
    ...changeRows('ordersWorking', first(toForeign(filter)), has(filter[0])),
  })),
  ...ORDER_FILTERS.map(([name]) => ({
    title: `${name} loses a working order`,
    detectedBy: [`${name} returns all matching`],
    ...changeRows('ordersWorking', withoutFirst, has(name)),
  })),
  ...ORDER_FILTERS.map(([name]) => ({
    title: `${name} returns an order that is not among all`,
    detectedBy: [`${name} returns all matching`],
    ...changeRows(
      'ordersWorking',
      (all) => all.concat({ ...all[0], id: '1', time: '2001-01-01T00:00:00Z' }),
      has(name),
    ),
  })),
  ...UNSUPPORTED.map((name) => ({
    title: `${name} is ignored`,
    detectedBy: [`${name} is not supported`],
    ...ignoring(name, 'ordersWorking'),
  })),
];

export const ORDER_TAMPERINGS: readonly Defect[] = [...history, ...working];
