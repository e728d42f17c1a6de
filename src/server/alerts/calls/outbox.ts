import { randomBytes } from 'node:crypto';
import type { Put, Read, Row } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { callDeliveries, callEvents, deskCalls } from '#server/store/tables.ts';
import type { Call } from './lines.ts';
import type { AlertEvent } from './call.ts';

/** A call that waits to be delivered. */
export interface WaitingCall extends Call {
  readonly number: number;
  /** How many have been recorded. */
  readonly attempts: number;
  readonly nextAt: number;
}

/** What a channel has to do next: deliver a call, or wait for the events of a group to come together. */
type Next = WaitingCall | { readonly readyAt: number };

export type Outcome = 'delivered' | 'failed' | 'given up' | 'ended';

/** One attempt, and what came of it. */
export interface Delivery {
  readonly channel: string;
  readonly call: string;
  /** Zero for a test. */
  readonly attempt: number;
  readonly events: number;
  /** What the call says in one line. */
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
  /** Of a call that has failed; otherwise null. */
  readonly nextAt: number | null;
}

/** Calls in the store, until they are delivered or given up, and the log of their deliveries. */
export interface Outbox {
  /** Resolves once they are on disk. An event that a channel has, or had lately, is not added again. */
  readonly add: (events: readonly AlertEvent[], channels: readonly string[], now: number) => Promise<void>;
  /** The oldest call of a channel, which is made of the events that wait if there is none; null if nothing waits. */
  readonly next: (channel: string, mostEvents: number, now: number) => Promise<Next | null>;
  /** Records an attempt: the call waits until `nextAt`, or with null for no more. */
  readonly record: (delivery: Delivery, call: WaitingCall, nextAt: number | null) => Promise<void>;
  /** Of a test. */
  readonly log: (delivery: Delivery) => Promise<void>;
  /** Gives up what has waited at a channel since before `before`. Returns how many events that were. */
  readonly giveUp: (channel: string, before: number, describe: (events: number) => Delivery) => Promise<number>;
  readonly waiting: () => Promise<readonly Waiting[]>;
  /** The newest first, below a number; of one channel or of all. */
  readonly deliveries: (channel: string | null, below: number, limit: number) => Promise<readonly LoggedDelivery[]>;
  /** For each channel the last delivery, and since when deliveries fail; tests do not count. */
  readonly lastDeliveries: () => Promise<
    ReadonlyMap<string, { readonly last: LoggedDelivery; readonly failingSince: number | null }>
  >;
  /** Forgets what is old. */
  readonly trim: (now: number) => Promise<void>;
}

/**
 * How long events wait for others that belong to the same moment: one call lists them all.
 *
 * @internal Exported for tests.
 */
export const GROUP_WAIT_MS = 5_000;
const DAY_MS = 86_400_000;
/** Longer than any rule repeats an event after a restart. */
const KEPT_MS = 30 * DAY_MS;
const MOST_DELIVERIES = 10_000;
const MOST_KNOWN_EVENTS = 200_000;

export function createOutbox(store: Store, groupWaitMs: number = GROUP_WAIT_MS): Outbox {
  const { read, tryToWrite } = store;
  const rowsOf = (statement: Read): Promise<readonly Row[]> => read((reading) => reading.read(statement));
  return {
    add: (events, channels, now) => addEvents(store, events, channels, now),
    next: async (channel, mostEvents, now) => {
      const [call] = await rowsOf(firstCall(channel));
      if (call !== undefined) return toCall(call, await rowsOf(eventsOf(channel, String(call[0]))));
      const rows = await rowsOf(waitingEvents(channel, mostEvents));
      const [first] = rows;
      if (first === undefined) return null;
      // The clock may have been set back since.
      const readyAt = Math.min(Number(first[1]), now) + groupWaitMs;
      return readyAt > now ? { readyAt } : makeCall(store, channel, rows, now);
    },
    record: (delivery, call, nextAt) => recordAttempt(store, delivery, call, nextAt),
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
  events: readonly AlertEvent[],
  channels: readonly string[],
  now: number,
): Promise<void> {
  const added = [...new Map(events.map((event) => [event.key, event])).values()];
  if (added.length === 0 || channels.length === 0) return;
  const isOneOf = `${dialect.isAmong('channel', 1, 'text')} AND ${dialect.isAmong('key', 2, 'text')}`;
  const known: Read = {
    name: 'known events',
    sql: `SELECT channel, key FROM call_event WHERE ${isOneOf}`,
    values: [channels, added.map(({ key }) => key)],
  };
  await mustWrite(async (writing) => {
    const have = new Set((await writing.read(known)).map((row) => row.join('\n')));
    const [[newest] = []] = await writing.read({
      name: 'newest event',
      sql: 'SELECT coalesce(max(number), 0) FROM call_event',
      values: [],
    });
    let number = Number(newest);
    const rows = added.flatMap((event) =>
      [...new Set(channels)]
        .filter((channel) => !have.has(`${channel}\n${event.key}`))
        .map((channel) => [channel, event.key, (number += 1), now, '', JSON.stringify(event)]),
    );
    if (rows.length > 0) await writing.writeThrough([{ table: callEvents, rows }]);
  });
}

/** Calls go out in the order of their first events. */
async function makeCall(
  { mustWrite }: Store,
  channel: string,
  rows: readonly Row[],
  now: number,
): Promise<WaitingCall> {
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
  { id, attempts, nextAt: planned }: WaitingCall,
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
        values: [channel, before, delivery.call],
      },
      await toPut(delivery, writing),
    ]);
    return events;
  });
}

/** Not where another desk has gone on with it meanwhile. */
const RECORD_ATTEMPT =
  "UPDATE desk_call SET attempts = attempts + 1, next_at = $3, state = $4 WHERE id = $1 AND attempts = $2 AND state = 'waiting'";

type Writing = Parameters<Parameters<Store['mustWrite']>[0]>[0];

/** The log's next entry. */
async function toPut(delivery: Delivery, { read }: Writing): Promise<Put> {
  const [[newest] = []] = await read({
    name: 'newest delivery',
    sql: 'SELECT coalesce(max(number), 0) FROM call_delivery',
    values: [],
  });
  return { table: callDeliveries, rows: [toRow(delivery, Number(newest) + 1)] };
}

const firstCall = (channel: string): Read => ({
  name: 'first call of channel',
  sql: "SELECT id, number, made_at, attempts, next_at FROM desk_call WHERE state = 'waiting' AND channel = $1 ORDER BY number LIMIT 1",
  values: [channel],
});
const eventsOf = (channel: string, call: string): Read => ({
  name: 'events of call',
  sql: 'SELECT number, added_at, event FROM call_event WHERE channel = $1 AND call = $2 ORDER BY number',
  values: [channel, call],
});
const waitingEvents = (channel: string, most: number): Read => ({
  name: 'events in no call',
  sql: "SELECT number, added_at, event FROM call_event WHERE channel = $1 AND call = '' ORDER BY number LIMIT CAST($2 AS bigint)",
  values: [channel, most],
});
/** In no call, or in one that waits. */
const STILL_WAITING = "call IN (SELECT '' UNION ALL SELECT id FROM desk_call WHERE state = 'waiting')";
const oldEvents = (channel: string, before: number): Read => ({
  name: 'count old events',
  sql: `SELECT count(*) FROM call_event WHERE channel = $1 AND
    ((call = '' AND added_at < $2) OR call IN (SELECT id FROM desk_call WHERE state = 'waiting' AND channel = $1 AND made_at < $2))`,
  values: [channel, before],
});
const countWaiting: Read = {
  name: 'count waiting events',
  sql: `SELECT channel, count(*), min(added_at),
      (SELECT min(next_at) FROM desk_call WHERE state = 'waiting' AND attempts > 0 AND desk_call.channel = call_event.channel)
    FROM call_event WHERE ${STILL_WAITING} GROUP BY channel ORDER BY channel`,
  values: [],
};
const COLUMNS = Object.keys(callDeliveries.columns).join(', ');
const listDeliveries = (channel: string | null, below: number, limit: number): Read => ({
  name: channel === null ? 'deliveries' : 'deliveries of channel',
  sql: `SELECT ${COLUMNS} FROM call_delivery WHERE number < $1 ${channel === null ? '' : 'AND channel = $3'} ORDER BY number DESC LIMIT CAST($2 AS bigint)`,
  values: channel === null ? [below, limit] : [below, limit, channel],
});
/** Failing since the first attempt that was not followed by a delivery. */
const lastOfEach: Read = {
  name: 'last deliveries',
  sql: `SELECT ${COLUMNS},
      (SELECT min(at) FROM call_delivery AS failed WHERE failed.channel = newest.channel AND attempt > 0 AND failed.number >
        (SELECT coalesce(max(number), 0) FROM call_delivery AS good WHERE good.channel = newest.channel AND attempt > 0 AND outcome = 'delivered'))
    FROM call_delivery AS newest
    WHERE number IN (SELECT max(number) FROM call_delivery WHERE attempt > 0 GROUP BY channel)`,
  values: [],
};

/** A call that waits and its events stay, however old. */
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
      sql: `DELETE FROM call_event WHERE (added_at < $1 OR number <= (SELECT max(number) FROM call_event) - $2) AND NOT ${STILL_WAITING}`,
      values: [before, MOST_KNOWN_EVENTS],
    },
    { name: 'trim calls', sql: "DELETE FROM desk_call WHERE state <> 'waiting' AND made_at < $1", values: [before] },
  ];
}

function toEvent(row: Row): AlertEvent {
  return JSON.parse(String(row[2])) as AlertEvent;
}

function toCall([id, number, madeAt, attempts, nextAt]: Row, rows: readonly Row[]): WaitingCall {
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
  { channel, call, attempt, events, summary, at, tookMs, outcome, status, reason, answer }: Delivery,
  number: number,
): Row {
  return [number, channel, call, attempt, events, summary, at, Math.round(tookMs), outcome, status, reason, answer];
}

function toDelivery([
  number,
  channel,
  call,
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
    call: String(call),
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
