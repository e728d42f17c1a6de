import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/desk-access.ts';
import { findBreak, hashInBrowser, toJsonLines } from './check-chain.ts';

const anchor = { number: 0, hash: '0'.repeat(64) };
const hash = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

/** Entries as the server chains them. */
function chainOf(count: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let number = 1; number <= count; number++) {
    const body = { number, at: '2026-11-26T20:00:00.000Z' as AuditEntry['at'], kind: 'sign-in', who: 'p1', name: 'Zoë', address: '127.0.0.1', detail: `Entry ${String(number)}.`, filter: '', rows: null } as const;
    const before = entries.at(-1)?.hash ?? anchor.hash;
    entries.push({ ...body, hash: createHash('sha256').update(`${before}\n${JSON.stringify(body)}`).digest('hex') });
  }
  return entries;
}

describe('the chain of the audit', () => {
  const entries = chainOf(5);
  const change = (at: number, by: Partial<AuditEntry>) => entries.map((entry, place) => (place === at ? { ...entry, ...by } : entry));

  it('is unbroken where each entry follows, also from one in the middle', async () => {
    expect(await findBreak(entries, anchor, hash)).toBeNull();
    expect(await findBreak(entries.slice(2), entries[1] ?? anchor, hash)).toBeNull();
    expect(await findBreak([], anchor, hash)).toBeNull();
  });

  it.each([
    ['changed', 3, change(2, { detail: 'Something else.' })],
    ['changed at the beginning', 1, change(0, { rows: 7 })],
    ['missing at the beginning', 2, entries.slice(1)],
    ['missing', 4, entries.toSpliced(2, 1)],
    ['swapped', 3, [entries[0], entries[2], entries[1], entries[3]].flatMap((entry) => entry ?? [])],
    ['repeated', 2, entries.toSpliced(2, 0, ...entries.slice(1, 2))],
  ])('is broken where an entry is %s', async (_, number, broken) => {
    expect((await findBreak(broken, anchor, hash))?.number).toBe(number);
  });

  it('is hashed in the browser as at the server', async () => {
    expect(await hashInBrowser('Zoë\n{}')).toBe(await hash('Zoë\n{}'));
  });

  it('is saved with its ends and an entry a line, which keeps all fields', () => {
    const ends = { anchor, head: { number: 5, hash: entries[4]?.hash ?? '' } };
    expect(toJsonLines(entries, ends).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([{ format: 'perpdesk audit 1', ...ends }, ...entries]);
  });
});
