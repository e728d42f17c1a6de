import { describe, expect, it } from 'vitest';
import { compareRecord, type JournaledChange, type Reason } from './compare-record.ts';
import { describeComparison } from './describe-comparison.ts';
import type { RecordedChange } from './order-record.ts';

const TIMES = { first: 100, last: 1_000, gaps: [{ from: 500, to: 600 }], found: 900 };

function recorded(id: string, at: number, filled: number, more: Partial<RecordedChange> = {}): RecordedChange {
  return { id, at, filled, isClosed: false, isNew: false, ...more };
}

function journaled(id: string, kind: string, filled = 0): JournaledChange {
  return { id, kind, filled };
}

function compare(
  changes: readonly RecordedChange[],
  journal: readonly JournaledChange[],
  filledBefore: ReadonlyMap<string, number> = new Map(),
) {
  return compareRecord({ changes, filledBefore }, journal, TIMES);
}

const NEW = { isNew: true };
const CLOSED = { isClosed: true };

describe('the comparison of the journal with what the exchange stored', () => {
  it('counts what was placed, filled and closed, and what of it the journal has', () => {
    const changes = [
      recorded('1', 200, 0, NEW),
      recorded('1', 300, 4),
      recorded('1', 400, 9, CLOSED),
      recorded('2', 250, 3, CLOSED),
      recorded('3', 260, 7, { ...NEW, ...CLOSED }),
    ];
    const journal = [
      journaled('1', 'seen'),
      journaled('1', 'changed', 4),
      journaled('1', 'gone', 4),
      journaled('1', 'ended', 9),
      journaled('2', 'gone', 3),
      journaled('3', 'passed', 7),
    ];
    const { placed, filled, closed, ended } = compare(changes, journal, new Map([['2', 3]]));
    expect([placed, filled, closed].map(({ happened, seen }) => [happened, seen])).toEqual([
      [2, 2],
      [3, 3],
      [3, 3],
    ]);
    expect(ended).toBe(1);
  });

  it.each<readonly [Reason, 'placed' | 'filled' | 'closed', readonly RecordedChange[], readonly JournaledChange[]]>([
    ['recent', 'placed', [recorded('1', 900, 0, NEW), recorded('1', 920, 0, CLOSED)], []],
    ['neverRested', 'placed', [recorded('1', 200, 0, { ...NEW, ...CLOSED })], []],
    ['cameAndWent', 'placed', [recorded('1', 200, 0, NEW), recorded('1', 210, 0, CLOSED)], []],
    ['gap', 'placed', [recorded('1', 510, 0, NEW), recorded('1', 520, 0, CLOSED)], []],
    ['followed', 'filled', [recorded('1', 200, 1), recorded('1', 210, 2)], [journaled('1', 'changed', 2)]],
    ['notLookedUp', 'filled', [recorded('1', 200, 9, CLOSED)], [journaled('1', 'gone', 0)]],
    ['unexplained', 'closed', [recorded('1', 200, 0, CLOSED)], [journaled('1', 'seen')]],
  ])('says why the journal does not have a change: %s', (reason, kind, changes, journal) => {
    const { missed } = compare(changes, journal)[kind];
    expect(Object.entries(missed).filter(([, count]) => count > 0)).toEqual([[reason, 1]]);
  });

  it('leaves out what happened before the first reading and after the last one', () => {
    const { outside, filled } = compare([recorded('1', 99, 1), recorded('1', 999, 2), recorded('1', 1_000, 3)], []);
    expect([outside, filled.happened]).toEqual([2, 1]);
  });

  it('adds up: each row of the table is what was seen and what was missed', () => {
    const lines = describeComparison(compare([recorded('1', 200, 0, NEW), recorded('1', 210, 0, CLOSED)], []), {
      ...TIMES,
      bytes: 0,
      changes: [],
    });
    expect(
      lines.filter((line) => /^(happened|seen| {2}came)/.test(line)).map((line) => line.trim().split(/ {2,}/).slice(1)),
    ).toEqual([
      ['1', '0', '1', '2'],
      ['0', '0', '0', '0'],
      ['1', '0', '1', '2'],
    ]);
  });
});
