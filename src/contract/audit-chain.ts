import type { AuditEnds } from './desk-access.ts';

/** The hash chain of the audit log, which command and screen follow by the same function. */

/** The end of a chain so far. */
export interface Link {
  readonly number: number;
  readonly hash: string;
}

export interface ChainedEntry extends Link {
  /** By these, entries are found: they are in the body as well. */
  readonly who: string;
  readonly kind: string;
  /** What is hashed: the entry as JSON, without its hash. */
  readonly body: string;
}

/** What the hash of an entry is the SHA-256 of. */
export function toHashed(before: Link, body: string): string {
  return `${before.hash}\n${body}`;
}

/** Hexadecimal SHA-256 of a text. A browser computes it only asynchronously. */
type Sha256 = (text: string) => string | Promise<string>;

export interface ChainResult {
  readonly checked: number;
  /** What does not hold, as a sentence; null: each entry is as it was written, and none is missing. */
  readonly problem: string | null;
}

/** Follows the chain from its anchor to its head. */
export async function checkChain({ anchor, head }: AuditEnds, entries: AsyncIterable<ChainedEntry | null> | Iterable<ChainedEntry | null>, sha256: Sha256): Promise<ChainResult> {
  let last: Link = anchor;
  let checked = 0;
  for await (const entry of entries) {
    const expected = last.number + 1;
    const problem = entry === null ? `What follows entry ${String(last.number)} is not an entry.` : await findProblem(last, entry, sha256);
    if (problem !== null || entry === null) return { checked, problem };
    checked += 1;
    last = { number: expected, hash: entry.hash };
  }
  return { checked, problem: findEndProblem(last, head) };
}

/** For an entry after the head: one that was written meanwhile has moved the head, as it is read afterwards. */
export function findAdded({ number }: Link, headNow: Link): string | null {
  return number <= headNow.number ? null : `Entry ${String(number)} was not written by Perpdesk.`;
}

async function findProblem(last: Link, { number, who, kind, body, hash }: ChainedEntry, sha256: Sha256): Promise<string | null> {
  const expected = last.number + 1;
  if (number !== expected) return `Entry ${String(expected)} is missing or not in its place: entry ${String(number)} follows instead.`;
  const written = readFields(body);
  if (written?.number !== number || written.who !== who || written.kind !== kind || (await sha256(toHashed(last, body))) !== hash) return `Entry ${String(number)} is not as it was written.`;
  return null;
}

function findEndProblem(last: Link, head: Link): string | null {
  if (last.number < head.number) return `The newest entries are missing: the last one is ${String(last.number)}, but Perpdesk has written ${String(head.number)}.`;
  return last.number === head.number && last.hash === head.hash ? null : `The last entry is not the newest one that Perpdesk has written, ${String(head.number)}.`;
}

function readFields(body: string): Readonly<Partial<Record<'number' | 'who' | 'kind', unknown>>> | null {
  try {
    return JSON.parse(body) as ReturnType<typeof readFields>;
  } catch {
    return null;
  }
}
