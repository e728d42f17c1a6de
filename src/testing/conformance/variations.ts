import { every, has, lacks, multiplied, reversed, changeRows, set, together, type Row } from './tampering.ts';
import type { Tampering } from './tampering-proxy.ts';

/** Ways for an exchange to be right that ours does not show. */
export interface Variation extends Tampering {
  readonly title: string;
  /** The checks that must not mind, by the beginning of their titles. Null: all but those of our own decisions and of signatures, which the proxy makes. */
  readonly passes: readonly string[] | null;
}

/** Ids fall where those of our exchange rise. */
function withCoarseTime(row: Row): Row {
  return { ...row, time: `${String(row['time']).slice(0, 10)}T00:00:00Z`, id: String(10n ** 20n - BigInt(String(row['id']))) };
}

/** A row a day, of everything that traded. */
function addedUp(all: Row[]): Row[] {
  return [...Map.groupBy(all, (row) => row['date']).values()].map((ofDay) => {
    const add = (field: string) => ofDay.reduce((sum, row) => sum + Number(row[field]), 0);
    const amounts = ['volume', 'notionalVolume', 'openInterest', 'notionalOpenInterest'].map((field) => [field, add(field)] as const);
    return { ...ofDay[0], ...Object.fromEntries(amounts) };
  });
}

const LARGEST_LIMIT = 100;

/** What the interface document marks "not shown", or does not mention. */
const notShown: readonly Variation[] = [
  {
    title: 'a page has at most 100 rows, and a larger limit is refused',
    passes: null,
    changeResponse: (answer, { query }) =>
      Number(query.get('limit')) > LARGEST_LIMIT ? { status: 400, type: 'text/plain', text: 'limit is too large' } : answer,
  },
  {
    title: 'the oldest orders come first unless asked for otherwise',
    passes: null,
    changeQuery: (question) => {
      const query = new URLSearchParams(question.query);
      if (question.name === 'orders' && lacks('order')(question)) query.set('order', 'asc');
      return query;
    },
  },
  {
    title: 'the newest days of charts come first',
    passes: null,
    ...together(changeRows('chartPrice', reversed), changeRows('chartVoi', reversed)),
  },
  {
    title: 'without product_id, volume and open interest are those of all products together',
    passes: null,
    ...changeRows('chartVoi', addedUp, lacks('product_id')),
  },
];

export const VARIATIONS: readonly Variation[] = [
  ...notShown,
  {
    title: 'exactly 10,000 orders rest',
    passes: ['more than 10,000'],
    ...changeRows('ordersWorking', multiplied(25)),
  },
  {
    title: 'many orders are of one time, and the smallest id is first',
    passes: ['history: order=asc', 'history: pages lose nothing'],
    ...changeRows('orders', every(withCoarseTime)),
  },
  {
    title: 'every order closes between two questions',
    passes: ['resting orders are in history'],
    ...together(
      changeRows('ordersWorking', () => []),
      changeRows('orders', every(set({ status: 'Closed' })), has('begin_time')),
    ),
  },
];
