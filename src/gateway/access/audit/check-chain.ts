import { hashEntry, type ChainedEntry, type Link } from './chain.ts';

/** Where a chain of entries begins and ends, as recorded apart from them. */
export interface ChainEnds {
  readonly anchor: Link;
  readonly head: Link;
}

export interface ChainResult {
  readonly checked: number;
  /** What does not hold, as a sentence; null: each entry is as it was written, and none is missing. */
  readonly problem: string | null;
}

/** Follows the chain from its anchor to its head. */
export async function checkChain({ anchor, head }: ChainEnds, entries: AsyncIterable<ChainedEntry | null> | Iterable<ChainedEntry | null>): Promise<ChainResult> {
  let last = anchor;
  let checked = 0;
  for await (const entry of entries) {
    const expected = last.number + 1;
    const problem = entry === null ? `What follows entry ${String(last.number)} is not an entry.` : findProblem(last, entry);
    if (problem !== null || entry === null) return { checked, problem };
    checked += 1;
    last = { number: expected, hash: entry.hash };
  }
  return { checked, problem: findEndProblem(last, head) };
}

function findProblem(last: Link, { number, who, kind, body, hash }: ChainedEntry): string | null {
  const expected = last.number + 1;
  if (number !== expected) return `Entry ${String(expected)} is missing or not in its place: entry ${String(number)} follows instead.`;
  const written = readFields(body);
  if (written?.number !== number || written.who !== who || written.kind !== kind || hashEntry(last.hash, body) !== hash) return `Entry ${String(number)} is not as it was written.`;
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
