import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkChain } from '#contract/desk/audit-chain.ts';
import { AUDIT_KINDS } from '#contract/desk/access.ts';
import { toLine } from './audit/audit-lines.ts';
import {
  type AuditSource,
  checkAuditFile,
  exportAudit,
  parseHeadLine,
  parseLine,
  toHeadLine,
} from './audit-commands.ts';
import { chain, GENESIS, sha256, type TimedEvent } from './audit/audit-store.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const event = fc.record({
  kind: fc.constantFrom(...AUDIT_KINDS),
  who: text,
  name: text,
  address: text,
  detail: text,
  filter: text,
  rows: fc.option(fc.nat(), { nil: null }),
});
const events = fc.array(fc.record({ at: fc.integer({ min: 0, max: 4_000_000_000_000 }), event }), {
  minLength: 2,
  maxLength: 12,
});

/** Checks the lines of a file as its readers do. */
async function check(lines: readonly string[]) {
  const [head = '', ...rest] = lines;
  const ends = parseHeadLine(head);
  if (ends === null) throw new Error('The first line is not one.');
  return checkChain(ends, rest.map(parseLine), sha256);
}

function toFile(all: readonly TimedEvent[], anchor = GENESIS): readonly string[] {
  const entries = chain(anchor, all);
  return [toHeadLine({ anchor, head: entries.at(-1) ?? anchor }), ...entries.map(toLine)];
}

describe('the chain of the log', () => {
  it('holds as it was written, whatever is in it, and from wherever it begins', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), async (all, number) => {
        const anchor = { number, hash: 'ab'.repeat(32) };
        expect(await check(toFile(all, anchor))).toEqual({
          checked: all.length,
          problem: null,
          uncleanStops: all.flatMap(({ at, event }) =>
            event.kind === 'unclean stop' ? [new Date(at).toISOString()] : [],
          ),
        });
      }),
    );
  });

  it('names the first entry that was changed, in whichever field', async () => {
    const field = fc.constantFrom('at', 'kind', 'who', 'name', 'address', 'detail', 'filter', 'rows', 'hash', 'number');
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), field, async (all, choice, name) => {
        const lines = [...toFile(all)];
        const place = 1 + (choice % all.length);
        const entry = JSON.parse(lines[place] ?? '') as Record<string, unknown>;
        lines[place] = JSON.stringify({
          ...entry,
          [name]: typeof entry[name] === 'number' ? entry[name] + 1 : `${String(entry[name])}x`,
        });
        const { checked, problem } = await check(lines);
        expect([checked, problem]).toEqual([
          place - 1,
          expect.stringMatching(new RegExp(`^Entry ${String(place)} |^What follows entry ${String(place - 1)} `)),
        ]);
      }),
    );
  });

  it('notices an entry that is missing, at the beginning, in between and at the end', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), async (all, choice) => {
        const place = 1 + (choice % all.length);
        const { problem } = await check(toFile(all).filter((_, index) => index !== place));
        expect(problem).toMatch(
          place === all.length ? /^The newest entries are missing/ : /is missing or not in its place/,
        );
      }),
    );
  });

  it('notices two entries that were swapped, and one that was added', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), async (all, choice) => {
        const lines = toFile(all);
        const place = 1 + (choice % (all.length - 1));
        const [one = '', other = ''] = lines.slice(place, place + 2);
        expect((await check(lines.toSpliced(place, 2, other, one))).problem).toMatch(/missing or not in its place/);
        expect((await check(lines.toSpliced(place, 0, one))).problem).not.toBeNull();
        expect((await check([...lines, lines.at(-1) ?? ''])).problem).not.toBeNull();
        expect((await check(lines.toSpliced(place, 0, 'not an entry'))).problem).toBe(
          `What follows entry ${String(place - 1)} is not an entry.`,
        );
      }),
    );
  });
});

describe('an export of the entries after a number', () => {
  const written = chain(
    GENESIS,
    Array.from({ length: 9 }, (_, at) => ({
      at,
      event: { kind: 'exported', who: '', name: '', address: '', detail: '' },
    })),
  );
  const linkTo = (number: number) => ({ number, hash: written[number - 1]?.hash ?? GENESIS.hash });
  /** The first three are no longer kept. */
  const source: AuditSource = {
    ends: () => Promise.resolve({ anchor: linkTo(3), head: linkTo(9) }),
    after: (number, limit) => Promise.resolve(written.slice(Math.max(3, number), Math.max(3, number) + limit)),
  };
  const exported = async (after: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-export-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, 'audit.jsonl');
    const { anchor, head } = await exportAudit(source, file, after);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
    return {
      ends: [anchor.number, head.number],
      numbers: lines.map((line) => parseLine(line)?.number),
      check: await checkAuditFile(file),
    };
  };

  it('has these, can be checked alone, and begins later if they are no longer kept', async () => {
    const intact = (checked: number) => ({ checked, problem: null, uncleanStops: [] });
    expect(await exported(6)).toEqual({ ends: [6, 9], numbers: [7, 8, 9], check: intact(3) });
    expect(await exported(9)).toEqual({ ends: [9, 9], numbers: [], check: intact(0) });
    expect(await exported(1)).toEqual({ ends: [3, 9], numbers: [4, 5, 6, 7, 8, 9], check: intact(6) });
    await expect(exported(10)).rejects.toThrow('There is no entry 10 yet: the newest one is 9.');
  });
});
