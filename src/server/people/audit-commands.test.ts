import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkChain } from '#contract/desk/audit-chain.ts';
import { AUDIT_KINDS } from '#contract/desk/access.ts';
import { parseHeadLine, parseLine, toHeadLine, toLine } from './audit-commands.ts';
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
