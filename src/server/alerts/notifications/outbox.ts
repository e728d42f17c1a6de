import { randomBytes } from 'node:crypto';
import type { Put, Read, Row } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { callDeliveries, notificationEvents, deskCalls } from '#server/store/tables.ts';
import type { AddressedEvent, AlertEvent, Besides, Notification } from './notification.ts';

/** A notification that waits for delivery. */
export interface WaitingNotification extends Notification {
  readonly number: number;
  /** The number of recorded attempts. */
  readonly attempts: number;
  readonly nextAt: number;
}

/** The next task of a channel: delivering a notification, or waiting for events that belong together. */
type Next = WaitingNotification | { readonly readyAt: number };

export type Outcome = 'delivered' | 'failed' | 'given up' | 'ended';

/** One attempt and its result. */
export interface Delivery {
  readonly channel: string;
  readonly notification: string;
  /** Zero for a test. */
  readonly attempt: number;
  readonly events: number;
  /** The notification in one line. */
  readonly summary: string;
  readonly at: number;
  readonly tookMs: number;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly reason: string;
  readonly answer: string;
}

export interface LoggedDelivery extends Delivery {
  readonly number: number;
}

interface Waiting {
  readonly channel: string;
  readonly events: number;
  readonly oldestAt: number;
  /** The next attempt of a failed notification; otherwise null. */
  readonly nextAt: number | null;
}

/** Keeps notifications in the store until they are delivered or given up, with a log of their deliveries. */
export interface Outbox {
  /**
   * Resolves once the events are on disk, together with what `besides` returns. Skips events that the channel already
   * has or recently had.
   */
  readonly add: (events: readonly AddressedEvent[], now: number, besides?: Besides) => Promise<void>;
  /**
   * Returns the oldest notification of a channel, made from the waiting events if there is none; null if nothing waits.
   */
  readonly next: (channel: string, mostEvents: number, now: number) => Promise<Next | null>;
  /** Records an attempt. The notification waits until `nextAt`; with null, it is finished. */
  readonly record: (delivery: Delivery, notification: WaitingNotification, nextAt: number | null) => Promise<void>;
  /** Records a test. */
  readonly log: (delivery: Delivery) => Promise<void>;
  /** Gives up what has waited at a channel since before `before`. Returns the number of events. */
  readonly giveUp: (channel: string, before: number, describe: (events: number) => Delivery) => Promise<number>;
  readonly waiting: () => Promise<readonly Waiting[]>;
  /** Returns deliveries with a number below the given one, newest first, of one channel or of all. */
  readonly deliveries: (channel: string | null, below: number, limit: number) => Promise<readonly LoggedDelivery[]>;
  /** Returns the last delivery of each channel and since when its deliveries have failed. Tests do not count. */
  readonly lastDeliveries: () => Promise<
    ReadonlyMap<string, { readonly last: LoggedDelivery; readonly failingSince: number | null }>
  >;
  /** Deletes old entries. */
  readonly trim: (now: number) => Promise<void>;
}

/**
 * How long an event waits for others of the same moment, so that one notification lists them all.
 *
 * @internal Exported for its test.
 */
export const GROUP_WAIT_MS = 5_000;
const DAY_MS = 86_400_000;
/** Longer than any rule repeats an event after a restart. */
const KEPT_MS = 30 * DAY_MS;
const MOST_DELIVERIES = 10_000;
const MOST_KNOWN_EVENTS = 200_000;

export function createOutbox(store: Store, gatherMs: number = GROUP_WAIT_MS): Outbox {
  const { read, tryToWrite } = store;
  const rowsOf = (statement: Read): Promise<readonly Row[]> => read((reading) => reading.read(statement));
  return {
    add: (events, now, besides) => addEvents(store, events, now, besides),
    next: async (channel, mostEvents, now) => {
      const [notification] = await rowsOf(firstNotification(channel));
      if (notification !== undefined)
        return toNotification(notification, await rowsOf(eventsOf(channel, String(notification[0]))));
      const rows = await rowsOf(waitingEvents(channel, mostEvents));
      const [first] = rows;
      if (first === undefined) return null;
      // The minimum covers a clock that was set back since.
      const readyAt = Math.min(Number(first[1]), now) + gatherMs;
      return readyAt > now ? { readyAt } : makeNotification(store, channel, rows, now);
    },
    record: (delivery, notification, nextAt) => recordAttempt(store, delivery, notification, nextAt),
    log: (delivery) => tryToWrite(async (writing) => writing.write([await toPut(delivery, writing)])),
    giveUp: (channel, before, describe) => giveUpOld(store, channel, before, describe),
    waiting: async () => (await rowsOf(countWaiting)).map(toWaiting),
    deliveries: async (channel, below, limit) => (await rowsOf(listDeliveries(channel, below, limit))).map(toDelivery),
    lastDeliveries: async () => {
      const rows = await rowsOf(lastOfEach);
      return new Map(rows.map((row) => [String(row[1]), { last: toDelivery(row), failingSince: toNumber(row[12]) }]));
    },
    trim: (now) => tryToWrite(({ write }) => write(trimSteps(now))),
  };
}

async function addEvents(
  { dialect, mustWrite }: Store,
  events: readonly AddressedEvent[],
  now: number,
  besides: Besides = () => Promise.resolve([]),
): Promise<void> {
  const isOneOf = `${dialect.isAmong('channel', 1, 'text')} AND ${dialect.isAmong('key', 2, 'text')}`;
  const known: Read = {
    name: 'known events',
    sql: `SELECT channel, key FROM call_event WHERE ${isOneOf}`,
    values: [[...new Set(events.flatMap(({ channels }) => channels))], events.map(({ event }) => event.key)],
  };
  await mustWrite(async (writing) => {
    const have = new Set((await writing.read(known)).map((row) => row.join('\n')));
    const [[newest] = []] = await writing.read({
      name: 'newest event',
      sql: 'SELECT coalesce(max(number), 0) FROM call_event',
      values: [],
    });
    const added = new Map(
      events.flatMap(({ event, channels }) =>
        channels.map((channel) => [`${channel}\n${event.key}`, { channel, event }] as const),
      ),
    );
    const rows = [...added]
      .filter(([id]) => !have.has(id))
      .map(([, { channel, event }], index) => [
        ...[channel, event.key, Number(newest) + index + 1, now, ''],
        JSON.stringify(event),
      ]);
    const steps = [...(rows.length > 0 ? [{ table: notificationEvents, rows }] : []), ...(await besides(writing))];
    if (steps.length > 0) await writing.writeThrough(steps);
  });
}

/** Notifications are sent in the order of their first events. */
async function makeNotification(
  { mustWrite }: Store,
  channel: string,
  rows: readonly Row[],
  now: number,
): Promise<WaitingNotification> {
  const id = `call_${randomBytes(16).toString('base64url')}`;
  const [number, last] = [Number(rows[0]?.[0]), Number(rows.at(-1)?.[0])];
  await mustWrite(({ writeThrough }) =>
    writeThrough([
      { table: deskCalls, rows: [[id, channel, number, now, 0, now, 'waiting']] },
      {
        name: 'put events into call',
        sql: "UPDATE call_event SET call = $3 WHERE channel = $1 AND call = '' AND number <= $2",
        values: [channel, last, id],
      },
    ]),
  );
  return { id, number, madeAt: now, attempts: 0, nextAt: now, events: rows.map(toEvent) };
}

async function recordAttempt(
  { mustWrite }: Store,
  delivery: Delivery,
  { id, attempts, nextAt: planned }: WaitingNotification,
  nextAt: number | null,
): Promise<void> {
  const state = nextAt !== null ? 'waiting' : delivery.outcome;
  const change = { name: 'record attempt', sql: RECORD_ATTEMPT, values: [id, attempts, nextAt ?? planned, state] };
  await mustWrite(async (writing) => writing.writeThrough([change, await toPut(delivery, writing)]));
}

function giveUpOld(
  { mustWrite }: Store,
  channel: string,
  before: number,
  describe: (events: number) => Delivery,
): Promise<number> {
  return mustWrite(async (writing) => {
    const [[count] = []] = await writing.read(oldEvents(channel, before));
    const events = Number(count);
    if (events === 0) return 0;
    const delivery = describe(events);
    await writing.writeThrough([
      {
        name: 'give up calls',
        sql: "UPDATE desk_call SET state = 'given up' WHERE state = 'waiting' AND channel = $1 AND made_at < $2",
        values: [channel, before],
      },
      {
        name: 'give up events',
        sql: "UPDATE call_event SET call = $3 WHERE channel = $1 AND call = '' AND added_at < $2",
        values: [channel, before, delivery.notification],
      },
      await toPut(delivery, writing),
    ]);
    return events;
  });
}

/** Changes nothing if another server has continued with the notification in the meantime. */
const RECORD_ATTEMPT =
  'UPDATE desk_call SET attempts = attempts + 1, next_at = $3, state = $4 WHERE id = $1 AND attempts = ' +
  "$2 AND state = 'waiting'";

type Writing = Parameters<Parameters<Store['mustWrite']>[0]>[0];

/** Returns the next entry of the log. */
async function toPut(delivery: Delivery, { read }: Writing): Promise<Put> {
  const [[newest] = []] = await read({
    name: 'newest delivery',
    sql: 'SELECT coalesce(max(number), 0) FROM call_delivery',
    values: [],
  });
  return { table: callDeliveries, rows: [toRow(delivery, Number(newest) + 1)] };
}

const firstNotification = (channel: string): Read => ({
  name: 'first call of channel',
  sql:
    "SELECT id, number, made_at, attempts, next_at FROM desk_call WHERE state = 'waiting' AND channel " +
    '= $1 ORDER BY number LIMIT 1',
  values: [channel],
});
const eventsOf = (channel: string, notification: string): Read => ({
  name: 'events of call',
  sql: 'SELECT number, added_at, event FROM call_event WHERE channel = $1 AND call = $2 ORDER BY number',
  values: [channel, notification],
});
const waitingEvents = (channel: string, most: number): Read => ({
  name: 'events in no call',
  sql:
    "SELECT number, added_at, event FROM call_event WHERE channel = $1 AND call = '' ORDER BY number " +
    'LIMIT CAST($2 AS bigint)',
  values: [channel, most],
});
/** Matches events in no notification or in a waiting one. */
const STILL_WAITING = "call IN (SELECT '' UNION ALL SELECT id FROM desk_call WHERE state = 'waiting')";
const oldEvents = (channel: string, before: number): Read => ({
  name: 'count old events',
  sql: `SELECT count(*) FROM call_event WHERE channel = $1 AND
    ((call = '' AND added_at < $2)
      OR call IN (SELECT id FROM desk_call WHERE state = 'waiting' AND channel = $1 AND made_at < $2))`,
  values: [channel, before],
});
const countWaiting: Read = {
  name: 'count waiting events',
  sql: `SELECT channel, count(*), min(added_at),
      (SELECT min(next_at) FROM desk_call
        WHERE state = 'waiting' AND attempts > 0 AND desk_call.channel = call_event.channel)
    FROM call_event WHERE ${STILL_WAITING} GROUP BY channel ORDER BY channel`,
  values: [],
};
const COLUMNS = Object.keys(callDeliveries.columns).join(', ');
const listDeliveries = (channel: string | null, below: number, limit: number): Read => ({
  name: channel === null ? 'deliveries' : 'deliveries of channel',
  sql:
    `SELECT ${COLUMNS} FROM call_delivery WHERE number < $1 ` +
    `${channel === null ? '' : 'AND channel = $3'} ORDER BY number DESC LIMIT CAST($2 AS bigint)`,
  values: channel === null ? [below, limit] : [below, limit, channel],
});
/** Deliveries have failed since the first attempt that no successful delivery followed. */
const lastOfEach: Read = {
  name: 'last deliveries',
  sql: `SELECT ${COLUMNS},
      (SELECT min(at) FROM call_delivery AS failed
        WHERE failed.channel = newest.channel AND attempt > 0 AND failed.number >
          (SELECT coalesce(max(number), 0) FROM call_delivery AS good
            WHERE good.channel = newest.channel AND attempt > 0 AND outcome = 'delivered'))
    FROM call_delivery AS newest
    WHERE number IN (SELECT max(number) FROM call_delivery WHERE attempt > 0 GROUP BY channel)`,
  values: [],
};

/** Keeps waiting notifications and their events, however old. */
function trimSteps(now: number) {
  const before = now - KEPT_MS;
  return [
    {
      name: 'trim deliveries',
      sql: 'DELETE FROM call_delivery WHERE at < $1 OR number <= (SELECT max(number) FROM call_delivery) - $2',
      values: [before, MOST_DELIVERIES],
    },
    {
      name: 'trim events',
      sql:
        'DELETE FROM call_event WHERE (added_at < $1 OR number <= (SELECT max(number) FROM ' +
        `call_event) - $2) AND NOT ${STILL_WAITING}`,
      values: [before, MOST_KNOWN_EVENTS],
    },
    { name: 'trim calls', sql: "DELETE FROM desk_call WHERE state <> 'waiting' AND made_at < $1", values: [before] },
  ];
}

function toEvent(row: Row): AlertEvent {
  return JSON.parse(String(row[2])) as AlertEvent;
}

function toNotification([id, number, madeAt, attempts, nextAt]: Row, rows: readonly Row[]): WaitingNotification {
  return {
    id: String(id),
    number: Number(number),
    madeAt: Number(madeAt),
    attempts: Number(attempts),
    nextAt: Number(nextAt),
    events: rows.map(toEvent),
  };
}

function toRow(
  { channel, notification, attempt, events, summary, at, tookMs, outcome, status, reason, answer }: Delivery,
  number: number,
): Row {
  return [
    number,
    channel,
    notification,
    attempt,
    events,
    summary,
    at,
    Math.round(tookMs),
    outcome,
    status,
    reason,
    answer,
  ];
}

function toDelivery([
  number,
  channel,
  notification,
  attempt,
  events,
  summary,
  at,
  tookMs,
  outcome,
  status,
  reason,
  answer,
]: Row): LoggedDelivery {
  return {
    number: Number(number),
    channel: String(channel),
    notification: String(notification),
    attempt: Number(attempt),
    events: Number(events),
    summary: String(summary),
    at: Number(at),
    tookMs: Number(tookMs),
    outcome: String(outcome) as Outcome,
    status: toNumber(status),
    reason: String(reason),
    answer: String(answer),
  };
}

function toWaiting([channel, events, oldestAt, nextAt]: Row): Waiting {
  return { channel: String(channel), events: Number(events), oldestAt: Number(oldestAt), nextAt: toNumber(nextAt) };
}

function toNumber(cell: Row[number] | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}
