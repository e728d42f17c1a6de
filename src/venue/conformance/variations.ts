import {
  changeRows,
  every,
  has,
  lacks,
  multiplied,
  reversed,
  type Row,
  set,
  type Tampering,
  together,
} from './tampering.ts';

/** A way for an exchange to differ from ours and still be right. */
export interface Variation extends Tampering {
  readonly title: string;
  /**
   * The checks that must still pass, each named by the beginning of its title. Null: all except those of our own
   * decisions and those of signatures, which the proxy makes.
   */
  readonly passes: readonly string[] | null;
}

/** Gives orders equal times and ids that fall with time; on our exchange ids rise. */
function withCoarseTime(row: Row): Row {
  return {
    ...row,
    time: `${String(row['time']).slice(0, 10)}T00:00:00Z`,
    id: String(10n ** 20n - BigInt(String(row['id']))),
  };
}

/** Returns one row per day, with the total of all products. */
function addedUp(all: Row[]): Row[] {
  return [...Map.groupBy(all, (row) => row['date']).values()].map((ofDay) => {
    const add = (field: string) => ofDay.reduce((sum, row) => sum + Number(row[field]), 0);
    const amounts = ['volume', 'notionalVolume', 'openInterest', 'notionalOpenInterest'].map(
      (field) => [field, add(field)] as const,
    );
    return { ...ofDay[0], ...Object.fromEntries(amounts) };
  });
}

const LARGEST_LIMIT = 100;

/** Differences on points that the interface document marks "not shown" or does not mention. */
const notShown: readonly Variation[] = [
  {
    title: 'a page has at most 100 rows and a larger limit is refused',
    passes: null,
    changeResponse: (response, { query }) =>
      Number(query.get('limit')) > LARGEST_LIMIT
        ? { status: 400, type: 'text/plain', text: 'limit is too large' }
        : response,
  },
  {
    title: 'the oldest orders come first by default',
    passes: null,
    changeQuery: (request) => {
      const query = new URLSearchParams(request.query);
      if (request.name === 'orders' && lacks('order')(request)) query.set('order', 'asc');
      return query;
    },
  },
  {
    title: 'the newest days of charts come first',
    passes: null,
    ...together(changeRows('chartPrice', reversed), changeRows('chartVoi', reversed)),
  },
  {
    title: 'without product_id, volume and open interest are totals of all products',
    passes: null,
    ...changeRows('chartVoi', addedUp, lacks('product_id')),
  },
];

export const VARIATIONS: readonly Variation[] = [
  ...notShown,
  {
    title: 'exactly 10,000 working orders',
    passes: ['more than 10,000'],
    ...changeRows('ordersWorking', multiplied(25)),
  },
  {
    title: 'many orders of equal time, the smallest id first',
    passes: ['history: order=asc', 'history: pages return every order'],
    ...changeRows('orders', every(withCoarseTime)),
  },
  {
    title: 'every order closes between two requests',
    passes: ['orders that the history shows'],
    ...together(
      changeRows('ordersWorking', () => []),
      changeRows('orders', every(set({ status: 'Closed' })), has('begin_time')),
    ),
  },
];
