import type { AuditEnds } from './access.ts';

/** The hash chain of the audit log. Command and screen verify it with the same function. */

/** The last link of a chain so far. */
export interface Link {
  readonly number: number;
  readonly hash: string;
}

export interface ChainedEntry extends Link {
  /** Copies of fields of the body, for finding entries. */
  readonly who: string;
  readonly kind: string;
  /** The hashed text: the entry as JSON, without its hash. */
  readonly body: string;
}

/** Returns the text whose SHA-256 is the hash of an entry. */
export function toHashed(before: Link, body: string): string {
  return `${before.hash}\n${body}`;
}

/** Hexadecimal SHA-256 of a text. In a browser, it is asynchronous. */
type Sha256 = (text: string) => string | Promise<string>;

export interface ChainResult {
  readonly checked: number;
  /** The first inconsistency, in a sentence; null if every entry is unchanged and none is missing. */
  readonly problem: string | null;
  /** When Perpdesk started after a run that had not ended cleanly, as ISO 8601. */
  readonly uncleanStops: readonly string[];
}

/** The kind of entry that records an unclean stop. */
export const UNCLEAN_STOP = 'unclean stop';

const LISTED_STOPS = 5;

/** Describes what may be missing although the chain is intact; null if nothing is. */
export function describeUncleanStops(stops: readonly string[]): string | null {
  if (stops.length === 0) return null;
  const times = stops.slice(-LISTED_STOPS).map((at) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`);
  const starts =
    stops.length === 1
      ? 'the start at'
      : stops.length <= LISTED_STOPS
        ? `${String(stops.length)} starts, at`
        : `${String(stops.length)} starts, the last ones at`;
  return (
    `Before ${starts} ${times.join(', ')}, Perpdesk did not end cleanly: up to a minute of repeated ` +
    `reads may not have been recorded${stops.length === 1 ? '' : ' each time'}.`
  );
}

/** Verifies the chain from its anchor to its head. */
export async function checkChain(
  { anchor, head }: AuditEnds,
  entries: AsyncIterable<ChainedEntry | null> | Iterable<ChainedEntry | null>,
  sha256: Sha256,
): Promise<ChainResult> {
  let last: Link = anchor;
  let checked = 0;
  const uncleanStops: string[] = [];
  for await (const entry of entries) {
    const expected = last.number + 1;
    const problem =
      entry === null
        ? `What follows entry ${String(last.number)} is not an entry.`
        : await findProblem(last, entry, sha256);
    if (problem !== null || entry === null) return { checked, problem, uncleanStops };
    checked += 1;
    if (entry.kind === UNCLEAN_STOP) uncleanStops.push(readFields(entry.body)?.at ?? '');
    last = { number: expected, hash: entry.hash };
  }
  return { checked, problem: findEndProblem(last, head), uncleanStops };
}

/** Finds an entry after the head. The head is read last, so an entry added in the meantime has moved it already. */
export function findAdded({ number }: Link, headNow: Link): string | null {
  return number <= headNow.number ? null : `Entry ${String(number)} was not written by Perpdesk.`;
}

async function findProblem(
  last: Link,
  { number, who, kind, body, hash }: ChainedEntry,
  sha256: Sha256,
): Promise<string | null> {
  const expected = last.number + 1;
  if (number !== expected)
    return `Entry ${String(expected)} is missing or not in its place: entry ${String(number)} follows instead.`;
  const written = readFields(body);
  if (
    written?.number !== number ||
    written.who !== who ||
    written.kind !== kind ||
    (await sha256(toHashed(last, body))) !== hash
  )
    return `Entry ${String(number)} is not as it was written.`;
  return null;
}

function findEndProblem(last: Link, head: Link): string | null {
  if (last.number < head.number)
    return (
      `The newest entries are missing: the last one is ${String(last.number)}, but Perpdesk has ` +
      `written ${String(head.number)}.`
    );
  return last.number === head.number && last.hash === head.hash
    ? null
    : `The last entry is not the newest one that Perpdesk has written, ${String(head.number)}.`;
}

function readFields(
  body: string,
): Readonly<Partial<Record<'number' | 'who' | 'kind', unknown> & { at: string }>> | null {
  try {
    return JSON.parse(body) as ReturnType<typeof readFields>;
  } catch {
    return null;
  }
}
