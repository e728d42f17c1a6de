import { setBounded } from '#server/core/maps.ts';
import { networkOf } from '#server/core/network.ts';
import type { AuditEvent, TimedEvent } from './audit-store.ts';

/** Events that may be repeated many times a minute, with the number of their repetitions. */
export interface GatheredEvents {
  /** Returns the entry to record now; null for a repetition. */
  readonly add: (event: TimedEvent) => TimedEvent | null;
  readonly size: () => number;
  /** Returns an entry for each event that was repeated, and begins anew. */
  readonly take: () => readonly TimedEvent[];
}

/** Different events of one person and kind in a minute. Keeps invented filters from filling the log. */
const MOST_OF_ONE = 60;
/** Different events of one person in a day: a script that runs for months must not push the entries of others out. */
const MOST_IN_A_DAY = 2_000;
/** The same for all who are not signed in together, since a stranger may have many networks. */
const MOST_OF_STRANGERS = 10_000;
const DAY_MS = 86_400_000;
/** Shares of the day are remembered for this many people and tokens. */
const MOST_SHARES = 10_000;

/** The repetitions of an event since it was first recorded. */
interface Gathered extends TimedEvent {
  /** The number of repetitions. */
  more: number;
  /** Of the repetitions. */
  rows: number | null | undefined;
  /** What different events have in common that are merged; null for repetitions of the same event. */
  readonly merged: Merged | null;
}

interface Merged {
  readonly paths: Map<string, { times: number; rows: number | null | undefined }>;
  readonly addresses: Set<string>;
}

export function createGatheredEvents(): GatheredEvents {
  let gathered = new Map<string, Gathered>();
  /** The number of different events, by source and kind. */
  let counts = new Map<string, number>();
  const shares = new Map<string, { readonly since: number; count: number }>();

  const shareOf = ({ at, event: { who } }: TimedEvent) => {
    const known = shares.get(who);
    if (known !== undefined && at - known.since < DAY_MS) return known;
    const share = { since: at, count: 0 };
    setBounded(shares, who, share, MOST_SHARES);
    return share;
  };
  /** Returns the beginning of the entry in which a further event is merged with others; null if it has its own. */
  const limitOf = (timed: TimedEvent): Limit | null => {
    const { who } = timed.event;
    const most = who === '' ? MOST_OF_STRANGERS : MOST_IN_A_DAY;
    if (shareOf(timed).count >= most)
      return { ...timed.event, source: who, most: `${String(most)} different ones in a day` };
    return (counts.get(sourceAndKind(timed.event)) ?? 0) < MOST_OF_ONE
      ? null
      : { ...timed.event, source: sourceOf(timed.event), most: `${String(MOST_OF_ONE)} different ones` };
  };
  const begin = (key: string, timed: TimedEvent, merged: Merged | null): TimedEvent => {
    gathered.set(key, { ...timed, more: 0, rows: undefined, merged });
    return timed;
  };
  return {
    add: (timed) => {
      const key = keyOf(timed.event);
      const known = gathered.get(key);
      if (known !== undefined) return repeat(known, timed);
      const limit = limitOf(timed);
      if (limit === null) {
        shareOf(timed).count += 1;
        const counted = sourceAndKind(timed.event);
        counts.set(counted, (counts.get(counted) ?? 0) + 1);
        return begin(key, timed, null);
      }
      const { kind, who, name, source, most } = limit;
      const keyOfOthers = JSON.stringify(['others', kind, who, name, source, most]);
      const others = gathered.get(keyOfOthers);
      if (others !== undefined) return repeat(others, timed);
      const first = begin(
        keyOfOthers,
        { ...timed, event: { ...timed.event, detail: `${OTHERS}${most}` } },
        {
          paths: new Map(),
          addresses: new Set(),
        },
      );
      return { ...first, event: { ...timed.event, detail: `${first.event.detail}: ${timed.event.detail}` } };
    },
    size: () => gathered.size,
    take: () => {
      const repeated = [...gathered.values()].filter(({ more }) => more > 0).map(toRepeated);
      gathered = new Map();
      counts = new Map();
      return repeated;
    },
  };
}

interface Limit extends AuditEvent {
  /** Whose events are merged. */
  readonly source: string;
  readonly most: string;
}

const OTHERS = 'Other requests, after ';

/**
 * Treats all senders of a network who are not signed in as one, because a network may have more addresses than the log
 * has entries.
 */
function keyOf({ kind, who, name, address, detail, filter }: AuditEvent): string {
  return JSON.stringify([kind, who, name, who === '' ? networkOf(address) : address, detail, filter]);
}

/** Returns the person or token, or the network of a sender who is not signed in. */
function sourceOf({ who, address }: AuditEvent): string {
  return who === '' ? networkOf(address) : who;
}

function sourceAndKind(event: AuditEvent): string {
  return JSON.stringify([sourceOf(event), event.kind]);
}

function repeat(known: Gathered, { event }: TimedEvent): null {
  known.more += 1;
  known.rows = add(known.rows, event.rows);
  if (known.merged === null) return null;
  const { paths, addresses } = known.merged;
  const path = paths.get(event.detail) ?? { times: 0, rows: undefined };
  paths.set(event.detail, { times: path.times + 1, rows: add(path.rows, event.rows) });
  addresses.add(event.address);
  return null;
}

function toRepeated({ at, event, more, rows, merged }: Gathered): TimedEvent {
  const { filter, ...common } = event;
  const counted = {
    ...common,
    detail: `${event.detail} (${String(more)} more within a minute)`,
    ...(event.rows !== undefined && { rows: rows ?? null }),
  };
  if (merged === null) return { at, event: { ...counted, ...(filter !== undefined && { filter }) } };
  const paths = [...merged.paths].map(
    ([path, { times, rows: ofPath }]) =>
      `${path.slice(0, LONGEST_PATH)} ${times === 1 ? 'once' : `${String(times)} times`}` +
      (typeof ofPath === 'number' ? `, ${String(ofPath)} rows` : ''),
  );
  return {
    at,
    event: {
      ...counted,
      address: listed([...merged.addresses], ', ', ' and ', 'others'),
      detail: `${counted.detail}: ${listed(paths, '; ', '; ', 'other paths')}`,
    },
  };
}

const MOST_LISTED = 20;
const LONGEST_PATH = 70;

function listed(items: readonly string[], between: string, last: string, rest: string): string {
  const shown = items.slice(0, MOST_LISTED).join(between);
  return items.length <= MOST_LISTED ? shown : `${shown}${last}${String(items.length - MOST_LISTED)} ${rest}`;
}

function add(one: number | null | undefined, other: number | null | undefined): number | null | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
