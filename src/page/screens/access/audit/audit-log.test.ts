import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toHashed, type Link } from '#contract/desk/audit-chain.ts';
import type { AuditEnds, AuditEntry } from '#contract/desk/access.ts';
import { readLog, sha256, toJsonLines } from './audit-log.ts';

const GENESIS: Link = { number: 0, hash: '0'.repeat(64) };

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Chains entries as the server does. */
function chainOf(count: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let number = 1; number <= count; number++) {
    const body = {
      number,
      at: '2026-11-26T20:00:00.000Z' as AuditEntry['at'],
      kind: 'sign-in',
      who: 'p1',
      name: 'Zoë',
      address: '127.0.0.1',
      detail: `Entry ${String(number)}.`,
      filter: '',
      rows: null,
    } as const;
    entries.push({ ...body, hash: hash(toHashed(entries.at(-1) ?? GENESIS, JSON.stringify(body))) });
  }
  return entries;
}

const ENTRIES = chainOf(5);
const linkOf = (number: number): Link => ({ number, hash: ENTRIES[number - 1]?.hash ?? GENESIS.hash });

interface Answer {
  readonly entries: readonly AuditEntry[];
  readonly ends: AuditEnds;
}

/**
 * Reads from a server that returns these pages, newest entries first, and has meanwhile written entries up to the head.
 */
function read(pages: readonly Answer[], headNow = 5) {
  const left = [...pages];
  const audit = () => {
    const page = left.shift() ?? { entries: [], ends: ends(0, headNow) };
    return Promise.resolve({
      value: {
        entries: page.entries.toReversed(),
        ...page.ends,
        pagination: { cursor: left.length === 0 ? null : 'next' },
      },
    });
  };
  return readLog({ audit } as unknown as Parameters<typeof readLog>[0], () => undefined);
}

const ends = (anchor: number, head: number): AuditEnds => ({ anchor: linkOf(anchor), head: linkOf(head) });
const change = (at: number, by: Partial<AuditEntry>) =>
  ENTRIES.map((entry, place) => (place === at ? { ...entry, ...by } : entry));

describe('the chain of the audit', () => {
  it('is unbroken where each entry follows, also from one in the middle, and where there is none', async () => {
    expect(await read([{ entries: ENTRIES, ends: ends(0, 5) }])).toMatchObject({ entries: ENTRIES, problem: null });
    expect(await read([{ entries: ENTRIES.slice(2), ends: ends(2, 5) }])).toMatchObject({ problem: null });
    expect(await read([{ entries: [], ends: ends(0, 0) }])).toMatchObject({ entries: [], problem: null });
  });

  it.each([
    ['changed', 'Entry 3 is not as it was written.', change(2, { detail: 'Something else.' })],
    ['changed at the beginning', 'Entry 1 is not as it was written.', change(0, { rows: 7 })],
    ['missing at the beginning', 'Entry 1 is missing or not in its place: entry 2 follows instead.', ENTRIES.slice(1)],
    ['missing', 'Entry 3 is missing or not in its place: entry 4 follows instead.', ENTRIES.toSpliced(2, 1)],
    [
      'missing at the end',
      'The newest entries are missing: the last one is 3, but Perpdesk has written 5.',
      ENTRIES.slice(0, 3),
    ],
    [
      'missing, as all others are',
      'The newest entries are missing: the last one is 0, but Perpdesk has written 5.',
      [],
    ],
    [
      'swapped',
      'Entry 2 is missing or not in its place: entry 3 follows instead.',
      [0, 2, 1, 3, 4].flatMap((place) => ENTRIES[place] ?? []),
    ],
    [
      'repeated',
      'Entry 3 is missing or not in its place: entry 2 follows instead.',
      ENTRIES.toSpliced(2, 0, ...ENTRIES.slice(1, 2)),
    ],
  ])('is broken where an entry is %s', async (_, problem, entries) => {
    expect(await read([{ entries, ends: ends(0, 5) }])).toMatchObject({ problem });
  });

  it('is that of one moment: entries that are written or dropped while it is read are left out', async () => {
    const log = await read([
      { entries: ENTRIES.slice(3), ends: ends(0, 4) },
      { entries: ENTRIES.slice(2, 3), ends: ends(2, 5) },
    ]);
    expect(log).toEqual({ ...ends(2, 4), entries: ENTRIES.slice(2, 4), problem: null, uncleanStops: [] });
  });

  it('is broken where an entry was added after the newest one that Perpdesk has written', async () => {
    expect(await read([{ entries: ENTRIES, ends: ends(0, 4) }], 4)).toMatchObject({
      problem: 'Entry 5 was not written by Perpdesk.',
    });
  });
});

it('a text is hashed in the browser as at the server', async () => {
  expect(await sha256('Zoë\n{}')).toBe(hash('Zoë\n{}'));
});

it('a log is saved with its ends and an entry a line, which keeps all fields', () => {
  expect(
    toJsonLines(ENTRIES, ends(0, 5))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([{ format: 'perpdesk audit 1', anchor: GENESIS, head: { number: 5, hash: ENTRIES[4]?.hash } }, ...ENTRIES]);
});
