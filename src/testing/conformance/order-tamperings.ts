import { WORKING_ORDERS_LIMIT } from '#contract/order.ts';
import { TOO_MANY_WORKING_ORDERS } from '#contract/refusals.ts';
import { ORDER_FILTERS } from './orders.ts';
import {
  blindTo,
  every,
  first,
  has,
  is,
  lacks,
  multiplied,
  oneMore,
  reversed,
  rows,
  set,
  status,
  together,
  withoutFirst,
  withoutLast,
  type Row,
  type Wrong,
} from './tampering.ts';
import type { TamperedAnswer } from './tampering-proxy.ts';

/** What an order that the filter is to keep out may have. Product types are few, and the one asked for is no other. */
const FOREIGN: Readonly<Record<(typeof ORDER_FILTERS)[number][0], readonly unknown[]>> = {
  symbol: ['XXX'],
  product_id: [1],
  product_type: ['Option', 'Future'],
  clearing_member_code: ['XXX'],
  account_id: ['XXX'],
  connection_id: ['ffff'],
};
/** Makes of an order that a filter let through one that it should not have. */
const estranged = ([name, field]: (typeof ORDER_FILTERS)[number]) => (row: Row): Row => ({ ...row, [field]: FOREIGN[name].find((value) => value !== row[field]) });
const NOBODY = is('account_id', 'NO-SUCH-ACCOUNT');

const history: readonly Wrong[] = [
  {
    wrong: 'oldest first by default',
    noticedBy: ['history: latest first'],
    ...rows('orders', reversed, lacks('order')),
  },
  { wrong: 'asc is desc', noticedBy: ['history: order=asc'], ...rows('orders', reversed, is('order', 'asc')) },
  {
    wrong: 'of one time, the smallest id comes last',
    noticedBy: ['history: of one time'],
    ...rows('orders', (all) => every(set({ time: String(all[0]?.['time']) }))(reversed(all)), is('order', 'asc')),
  },
  { wrong: 'small ids', noticedBy: ['history: ids are'], ...rows('orders', every(set({ id: '5' }))) },
  {
    wrong: 'filled beyond the request',
    noticedBy: ['history: quantities'],
    ...rows('orders', every(set({ quantity_filled: 1_000_000_000 }))),
  },
  {
    wrong: 'a mean price without a fill',
    noticedBy: ['history: avg_price'],
    ...rows('orders', every(set({ avg_price: 1 }))),
  },
  {
    wrong: 'nothing ever closes',
    noticedBy: ['history: an order filled in full'],
    ...rows('orders', every(set({ status: 'Working' }))),
  },
  {
    wrong: 'a page loses its first row',
    noticedBy: ['history: pages lose nothing'],
    ...rows('orders', withoutFirst, has('cursor')),
  },
  {
    wrong: 'the end of the range is not kept',
    noticedBy: ['history: the end is told'],
    ...blindTo('end_time', 'orders'),
  },
  {
    wrong: 'an order before the range',
    noticedBy: ['history: orders are within'],
    ...rows('orders', first(set({ time: '2001-01-01T00:00:00Z' })), has('begin_time', 'end_time')),
  },
  {
    wrong: 'the first of a range is left out',
    noticedBy: ['history: begin_time is part'],
    ...rows('orders', withoutLast, has('begin_time', 'end_time')),
  },
  {
    wrong: 'a day is from midnight to midnight',
    noticedBy: ['history: a day is'],
    ask: ({ name, query }) => {
      const day = query.get('day');
      if (name !== 'orders' || day === null) return query;
      const midnights = [0, 86_400_000].map((after) => new Date(Date.parse(day) + after).toISOString());
      const others = [...query].filter(([parameter]) => parameter !== 'day');
      return new URLSearchParams([...others, ['begin_time', midnights[0] ?? ''], ['end_time', midnights[1] ?? '']]);
    },
  },
  {
    wrong: 'a page is shorter by default',
    noticedBy: ['history: a page has 100'],
    ...rows('orders', withoutLast, lacks('limit')),
  },
  {
    wrong: 'a range beside a day empties it',
    noticedBy: ['history: day overrides'],
    ...rows('orders', () => [], has('day', 'begin_time')),
  },
  {
    wrong: 'the second filter is not kept',
    noticedBy: ['history: two filters'],
    ...rows('orders', first(set({ symbol: 'XXX' })), has('account_id', 'symbol')),
  },
  {
    wrong: 'an unknown account sees everything',
    noticedBy: ['history: a filter that nothing'],
    ...blindTo('account_id', 'orders', NOBODY),
  },
  { wrong: 'any cursor will do', noticedBy: ['history: a changed cursor'], ...blindTo('cursor', 'orders') },
  ...ORDER_FILTERS.map((filter) => ({
    wrong: `${filter[0]} lets another pass`,
    noticedBy: [`history: ${filter[0]} keeps only`],
    ...rows('orders', first(estranged(filter)), has(filter[0])),
  })),
  ...ORDER_FILTERS.map(([name]) => ({
    wrong: `${name} loses an order, and the page is full all the same`,
    noticedBy: [`history: ${name} keeps only`],
    ...oneMore('orders', has(name)),
    ...rows('orders', withoutFirst, has(name)),
  })),
];

const CUT = rows('ordersWorking', (all) => multiplied(30)(all).slice(0, WORKING_ORDERS_LIMIT));
const TOO_MANY: TamperedAnswer = { status: 400, type: 'text/plain', text: TOO_MANY_WORKING_ORDERS };

const UNSUPPORTED = ['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'];

const working: readonly Wrong[] = [
  {
    wrong: 'a closed order rests',
    noticedBy: ['every one rests'],
    ...rows('ordersWorking', first(set({ status: 'Closed' }))),
  },
  { wrong: 'oldest first', noticedBy: ['by time, then id'], ...rows('ordersWorking', reversed) },
  {
    wrong: 'more than the limit',
    noticedBy: ['more than 10,000'],
    ...rows('ordersWorking', (all) => Array.from({ length: 10_001 }, () => ({ ...all[0] }))),
  },
  {
    wrong: '12,000 rest, and an answer is cut at 10,000',
    noticedBy: ['more than 10,000'],
    ...CUT,
  },
  {
    wrong: 'all together are cut at 10,000, and a part of them is refused as too many',
    noticedBy: ['more than 10,000'],
    ...together(CUT, status('ordersWorking', TOO_MANY, has('product_type'))),
  },
  {
    wrong: 'an unknown account sees everything',
    noticedBy: ['an empty array'],
    ...blindTo('account_id', 'ordersWorking', NOBODY),
  },
  ...ORDER_FILTERS.map((filter) => ({
    wrong: `${filter[0]} lets another pass`,
    noticedBy: [`${filter[0]} keeps only`],
    ...rows('ordersWorking', first(estranged(filter)), has(filter[0])),
  })),
  ...ORDER_FILTERS.map(([name]) => ({
    wrong: `${name} loses a resting order`,
    noticedBy: [`${name} keeps only`],
    ...rows('ordersWorking', withoutFirst, has(name)),
  })),
  ...ORDER_FILTERS.map(([name]) => ({
    wrong: `${name} gives an order that is not among all`,
    noticedBy: [`${name} keeps only`],
    ...rows('ordersWorking', (all) => all.concat({ ...all[0], id: '1', time: '2001-01-01T00:00:00Z' }), has(name)),
  })),
  ...UNSUPPORTED.map((name) => ({
    wrong: `${name} is overlooked`,
    noticedBy: [`${name} is not supported`],
    ...blindTo(name, 'ordersWorking'),
  })),
];

export const ORDER_TAMPERINGS: readonly Wrong[] = [...history, ...working];
