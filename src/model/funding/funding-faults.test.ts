import { describe, expect, it, test } from 'vitest';
import type { RevisedRate } from '#contract/desk/funding.ts';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { examinePrints, formatIntervalLength, toFaultNames } from './funding-faults.ts';
import fc from 'fast-check';

const START = '2026-06-01T00:00:00Z';

test.each([
  ['2026-06-01T04:00:00Z', '4 h'],
  ['2026-06-01T08:30:00Z', '8 h 30 min'],
  ['2026-06-01T08:00:10Z', '8 h 10 s'],
  ['2026-06-01T08:00:00.000000001Z', '8 h 0.000000001 s'],
  ['2026-06-01T07:59:59.5Z', '7 h 59 min 59.5 s'],
  ['2026-06-01T00:00:00Z', '0 h'],
  ['2026-05-31T23:00:00Z', '−1 h'],
])('the length of an interval until %s is %s', (end, length) => {
  expect(formatIntervalLength({ prints: toWirePrints([{ start: START, end, rate: '0.1' }]) })).toBe(length);
});

const clean = Array.from({ length: 40 }, (_, at) => printAt(at, `0.000${String(100 + at)}`));
const kindsOf = (prints: readonly WrittenPrint[]) => examinePrints(toWirePrints(prints)).faults.map(({ kind }) => kind);

/**
 * Faults are planted so far apart that they do not affect each other: each takes four intervals, starting with the
 * second.
 */
const faults = {
  'gap': {
    plant: (prints: readonly WrittenPrint[], at: number) => prints.filter((_, index) => index !== at),
    found: ['gap'],
    lost: 1,
  },
  'duplicate': {
    plant: (prints: readonly WrittenPrint[], at: number) =>
      prints.flatMap((print, index) => (index === at ? [print, print] : [print])),
    found: ['duplicate'],
    lost: 0,
  },
  'contradiction': {
    plant: (prints: readonly WrittenPrint[], at: number) =>
      prints.flatMap((print, index) => (index === at ? [print, { ...print, rate: '0.9' }] : [print])),
    found: ['duplicate'],
    lost: 1,
  },
  'overlap': {
    plant: (prints: readonly WrittenPrint[], at: number) =>
      prints.flatMap((print, index) =>
        index === at
          ? [print, { start: fourHoursLater(print.start), end: fourHoursLater(print.end), rate: '0.1' }]
          : [print],
      ),
    // It ends within the next interval, which is valid all the same.
    found: ['overlap'],
    lost: 0,
  },
  'four hours': {
    plant: (prints: readonly WrittenPrint[], at: number) =>
      prints.map((print, index) => (index === at ? { ...print, end: fourHoursLater(print.start) } : print)),
    found: ['not 8 h', 'gap'],
    lost: 1,
  },
} as const;

function fourHoursLater(instant: string): string {
  return new Date(Date.parse(instant) + 4 * 3_600_000).toISOString().replace('.000Z', 'Z');
}

const kind = fc.constantFrom(...(Object.keys(faults) as (keyof typeof faults)[]));
const plan = fc.array(kind, { maxLength: 9 });

describe('a funding history', () => {
  it('without faults reports none', () => {
    expect(kindsOf(clean)).toEqual([]);
    expect(examinePrints([])).toEqual({ sound: [], faults: [], from: null, to: null });
  });

  it('with planted faults reports exactly those, and keeps all valid rates', () => {
    fc.assert(
      fc.property(plan, fc.boolean(), (kinds, shuffled) => {
        // Planted from the newest on, so that no fault shifts the position of the others.
        const spots = kinds.map((name, index) => ({ name, at: 2 + index * 4 })).toReversed();
        const planted = spots.reduce((prints, { name, at }) => faults[name].plant(prints, at), clean);
        const order = shuffled ? planted.toSorted((a, b) => a.rate.localeCompare(b.rate)) : planted;
        const found = examinePrints(toWirePrints(order));
        expect(found.faults.map((fault) => fault.kind)).toEqual(kinds.flatMap((name) => faults[name].found));
        expect(found.sound).toHaveLength(clean.length - kinds.reduce((lost, name) => lost + faults[name].lost, 0));
      }),
    );
  });
});

describe('a gap', () => {
  it('counts the missing intervals', () => {
    const [gap] = examinePrints(toWirePrints(clean.filter((_, at) => at < 5 || at > 7))).faults;
    expect(gap).toEqual({
      kind: 'gap',
      start: Date.parse(fundingTimeAt(5)),
      end: Date.parse(fundingTimeAt(8)),
      intervals: 3,
    });
  });

  it('does not include the time before the first rate', () => {
    expect(kindsOf(clean.slice(9))).toEqual([]);
  });
});

describe('an interval', () => {
  it('has another length if it is off by a nanosecond', () => {
    const [first, second, ...rest] = clean;
    if (first === undefined || second === undefined) throw new Error('no prints');
    const longer = { ...first, end: first.end.replace('Z', '.000000001Z') };
    expect(kindsOf([longer, second, ...rest])).toEqual(['not 8 h']);
  });

  it('with unparsable times is reported as unreadable', () => {
    expect(kindsOf([{ ...printAt(3, '0.1'), end: 'soon' }])).toEqual(['unreadable']);
  });

  it('that is not between two funding times is left out, and does not affect later ones', () => {
    const [first, second, ...rest] = clean;
    if (first === undefined || second === undefined) throw new Error('no prints');
    const late = { ...first, start: first.start.replace('00Z', '01Z'), end: first.end.replace('00Z', '01Z') };
    const { faults: found, sound } = examinePrints(toWirePrints([late, second, ...rest]));
    expect(found).toMatchObject([{ kind: 'off schedule' }]);
    expect(sound).toHaveLength(clean.length - 1);
  });

  it('of no length has another length', () => {
    expect(kindsOf([{ start: fundingTimeAt(1), end: fundingTimeAt(1), rate: '0.1' }])).toEqual(['not 8 h']);
  });
});

describe('an implausible rate', () => {
  it.each(['0.0075', '-0.0075', '0'])('is not %s', (rate) => {
    expect(kindsOf([printAt(0, rate)])).toEqual([]);
  });

  it.each(['0.00750001', '-0.0076', '1e300'])('is %s: named, and counted nevertheless', (rate) => {
    const { faults: found, sound } = examinePrints(toWirePrints([printAt(0, '0.0001'), printAt(1, rate)]));
    expect(found).toMatchObject([
      { kind: 'implausible rate', start: Date.parse(fundingTimeAt(1)), end: Date.parse(fundingTimeAt(2)) },
    ]);
    expect(sound).toHaveLength(2);
    expect([...toFaultNames(found).values()]).toEqual(['implausible rate']);
  });

  it('of interest is one in percent', () => {
    expect(kindsOf([{ ...printAt(0, '0.0001'), interest: '0.001' }])).toEqual([]);
    expect(kindsOf([{ ...printAt(0, '0.0001'), interest: '0.01' }])).toEqual(['implausible interest rate']);
    expect(kindsOf([{ ...printAt(0, '0.01'), interest: '0.01' }])).toEqual(['implausible rate']);
  });

  it('that is not counted for another reason is named by that', () => {
    expect(kindsOf([printAt(1, '0.1'), printAt(1, '0.2')])).toEqual(['duplicate']);
  });
});

describe('a duplicate interval', () => {
  it('agrees if the rates are equal, however they are written', () => {
    const twice = [printAt(1, '0.0001'), printAt(1, '1e-4')];
    const { faults: found, sound } = examinePrints(toWirePrints(twice));
    expect(found).toMatchObject([{ kind: 'duplicate', agree: true }]);
    expect(sound).toHaveLength(1);
  });

  it('is left out if the rates differ', () => {
    const { faults: found, sound } = examinePrints(toWirePrints([printAt(1, '0.0001'), printAt(1, '0.0002')]));
    expect(found).toMatchObject([{ kind: 'duplicate', agree: false }]);
    expect(sound).toEqual([]);
  });
});

test('very many revised rates are found about as quickly as read', { timeout: 10_000 }, () => {
  const rows = toWirePrints(Array.from({ length: 40_000 }, (_, at) => printAt(at, '0.0001')));
  const revisions = rows.map((row) => ({ interval_end: row.interval_end, is_withdrawn: false, before: row }));
  const found = examinePrints(rows, revisions as unknown as readonly RevisedRate[]).faults;
  expect(found.filter(({ kind }) => kind === 'revised')).toHaveLength(40_000);
});
