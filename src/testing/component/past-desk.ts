import {
  type DeskJournalActivity,
  type DeskJournalBook,
  type DeskJournalPrices,
  RecordedPrice,
} from '#contract/desk/journal.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import type { RecordedAnswer } from './answers.ts';
import { toProblem } from './change-answers.ts';
import { recordedAnswer } from './mount.tsx';

/**
 * A journal of four readings, ten minutes apart: one order arrives by the second, one is gone by the third, and one
 * changes by the last.
 */
export const READINGS = [
  '2026-08-17T12:00:00Z',
  '2026-08-17T12:10:00Z',
  '2026-08-17T12:20:00Z',
  '2026-08-17T12:30:00Z',
] as const;
const [COMES, GOES, CHANGES] = [10, 1, 2];

type Order = DeskJournalBook['orders'][number];

/** How a test changes the parts of the journal. */
interface Past {
  readonly book?: (book: DeskJournalBook) => object;
  readonly activity?: (activity: DeskJournalActivity) => object;
  readonly prices?: (prices: DeskJournalPrices) => object;
}

export function answerOf(target: string, body: object): RecordedAnswer {
  return { target, status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}

/** Returns the orders of a reading, in the exchange's order. */
export async function readOrders(reading: number): Promise<readonly Order[]> {
  const recorded = await recordedAnswer('/api/desk/working');
  const { orders } = JSON.parse(recorded?.text ?? '') as DeskWorking;
  return orders.slice(0, COMES + 1).flatMap((order, index) => {
    if ((index === COMES && reading < 1) || (index === GOES && reading >= 2)) return [];
    return [
      index === CHANGES && reading === 3
        ? { ...order, price: (Number(order.price) + 1) as unknown as Order['price'] }
        : order,
    ];
  });
}

/** Responds to a request about that journal. */
export function toPastResponse({
  book = (each) => each,
  activity = (each) => each,
  prices = (each) => each,
}: Past = {}): (target: string) => Promise<RecordedAnswer | null> {
  return async (target) => {
    const { pathname, searchParams } = new URL(target, 'http://desk');
    if (pathname === '/api/desk/status') return answerOf(target, await toStatus());
    if (pathname === '/api/desk/journal/book') {
      const read = await toBook(searchParams.get('at') ?? '');
      return read === null ? NOTHING : answerOf(target, book(read));
    }
    if (pathname === '/api/desk/journal/prices')
      return answerOf(target, prices(await toPrices(searchParams.get('at') ?? '')));
    if (pathname === '/api/desk/journal/activity') return answerOf(target, activity(await toActivity(searchParams)));
    return pathname === '/api/desk/journal/changes' ? answerOf(target, await toChanges(searchParams)) : null;
  };
}

async function toStatus(): Promise<object> {
  const status = JSON.parse((await recordedAnswer('/api/desk/status'))?.text ?? '') as { readonly journal: object };
  return { ...status, journal: { ...status.journal, kept_from: READINGS[0], read_to: READINGS[3] } };
}

const NOTHING = toProblem('not-found', 'The journal begins later.')(answerOf('', {}));

async function toBook(at: string): Promise<DeskJournalBook | null> {
  const reading = READINGS.findLastIndex((time) => Date.parse(time) <= Date.parse(at));
  if (reading < 0) return null;
  const readAt = READINGS[reading];
  return {
    read_from: readAt,
    read_to: readAt,
    complete: true,
    next_read_at: READINGS[reading + 1] ?? null,
    in_gap: false,
    gap_cause: null,
    orders: await readOrders(reading),
  } as DeskJournalBook;
}

/** Returns market prices, in whole ticks, as if they had been read some seconds before an instant. */
async function toPrices(at: string): Promise<DeskJournalPrices> {
  const recorded = await recordedAnswer('/api/product/data/');
  const rows = JSON.parse(recorded?.text ?? '') as readonly Readonly<Record<string, unknown>>[];
  return {
    read_at: new Date(Date.parse(at) - PRICE_AGE_MS).toISOString(),
    missing: null,
    prices: rows.map((row) => Object.fromEntries(PRICE_FIELDS.map((field) => [field, row[field]]))),
  } as unknown as DeskJournalPrices;
}

const PRICE_AGE_MS = 20_000;
const PRICE_FIELDS = Object.keys(RecordedPrice.properties);

function isWithin(time: string, params: URLSearchParams): boolean {
  const [begin, end] = [params.get('begin_time'), params.get('end_time')].map((limit) =>
    limit === null ? null : Date.parse(limit),
  );
  return Date.parse(time) >= (begin ?? -Infinity) && Date.parse(time) < (end ?? Infinity);
}

/** Returns one change of each reading. */
async function toChanges(params: URLSearchParams): Promise<object> {
  const [order] = await readOrders(0);
  const found = READINGS.map((time, index) => ({
    kind: (['seen', 'seen', 'gone', 'changed'] as const)[index],
    order_id: order?.id,
    read_after: READINGS[index - 1] ?? null,
    read_by: time,
    fields: [],
    before: null,
    order,
  })).filter(({ read_by: by }) => isWithin(by, params));
  return {
    changes: params.get('order') === 'asc' ? found.slice(0, 1) : found.toReversed().slice(0, 1),
    pagination: { cursor: null },
  };
}

async function toActivity(params: URLSearchParams): Promise<DeskJournalActivity> {
  const [order] = await readOrders(0);
  const total = {
    found: 0,
    placed: 0,
    passed: 0,
    changed: 0,
    modified: 0,
    gone: 0,
    ended_filled: 0,
    ended_partly_filled: 0,
    ended_unfilled: 0,
    outcome_unknown: 0,
    fills: 0,
    quantity_placed: 0,
    quantity_filled: 0,
    quantity_filled_before: 0,
    quantity_ended: 0,
    quantity_ended_filled: 0,
    returned: 0,
    unmeasured: 0,
    lives: 0,
    median_life_seconds: null,
  };
  const by = new Set(params.getAll('by'));
  const group = {
    symbol: by.has('symbol') ? order?.symbol : null,
    product_id: by.has('product_id') ? order?.product_id : null,
    product_type: null,
    clearing_firm_code: null,
    account_id: order?.account_id,
    connection_id: null,
    ...total,
  };
  const seconds = Number(params.get('bucket_seconds') ?? 60);
  const toStart = (time: string): string =>
    new Date(Math.floor(Date.parse(time) / (seconds * 1_000)) * seconds * 1_000).toISOString();
  const buckets = READINGS.filter((time) => isWithin(time, params)).map((time) => ({
    from: toStart(time),
    found: 0,
    seen: 0,
    changed: 1,
    gone: 0,
    ended: 0,
    returned: 0,
    passed: 0,
  }));
  return {
    kept_from: READINGS[0],
    read_to: READINGS[3],
    from: READINGS[0],
    to: READINGS[3],
    readings: 4,
    longest_seconds: 600,
    unread_seconds: 0,
    gaps: [],
    history_to: READINGS.at(-1) ?? null,
    bucket_seconds: seconds,
    buckets,
    total,
    groups: [group],
  } as unknown as DeskJournalActivity;
}

/** Formats a time as `2026-11-20 08:00:00`. */
export function toShownTime(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
