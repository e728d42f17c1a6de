import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryAt, printAt, toWirePrints, type WrittenPrint } from '#testing/funding-prints.ts';
import { examinePrints } from './find-faults.ts';

const clean = Array.from({ length: 40 }, (_, at) => printAt(at, `0.000${String(100 + at)}`));
const kindsOf = (prints: readonly WrittenPrint[]) => examinePrints(toWirePrints(prints)).faults.map(({ kind }) => kind);

/** Faults planted so far apart that none hides another: each takes four intervals of its own, from the second on. */
const faults = {
  hole: { plant: (prints: readonly WrittenPrint[], at: number) => prints.filter((_, index) => index !== at), found: ['hole'], lost: 1 },
  duplicate: { plant: (prints: readonly WrittenPrint[], at: number) => prints.flatMap((print, index) => (index === at ? [print, print] : [print])), found: ['duplicate'], lost: 0 },
  contradiction: {
    plant: (prints: readonly WrittenPrint[], at: number) => prints.flatMap((print, index) => (index === at ? [print, { ...print, rate: '0.9' }] : [print])),
    found: ['duplicate'],
    lost: 1,
  },
  overlap: {
    plant: (prints: readonly WrittenPrint[], at: number) =>
      prints.flatMap((print, index) => (index === at ? [print, { start: fourHoursLater(print.start), end: fourHoursLater(print.end), rate: '0.1' }] : [print])),
    // Its end lies in the next interval, which is sound nevertheless.
    found: ['overlap'],
    lost: 0,
  },
  'four hours': {
    plant: (prints: readonly WrittenPrint[], at: number) => prints.map((print, index) => (index === at ? { ...print, end: fourHoursLater(print.start) } : print)),
    found: ['odd length', 'hole'],
    lost: 1,
  },
} as const;

function fourHoursLater(instant: string): string {
  return new Date(Date.parse(instant) + 4 * 3_600_000).toISOString().replace('.000Z', 'Z');
}

const kind = fc.constantFrom(...(Object.keys(faults) as (keyof typeof faults)[]));
const plan = fc.array(kind, { maxLength: 9 });

describe('a history of prints', () => {
  it('without faults has none', () => {
    expect(kindsOf(clean)).toEqual([]);
    expect(examinePrints([])).toEqual({ sound: [], faults: [], from: null, to: null });
  });

  it('with planted faults has exactly those, and loses no sound print', () => {
    fc.assert(
      fc.property(plan, fc.boolean(), (kinds, shuffled) => {
        // From the newest on, so that what is planted moves nothing that is still to be planted.
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

describe('a hole', () => {
  it('counts the intervals it would have had', () => {
    const [hole] = examinePrints(toWirePrints(clean.filter((_, at) => at < 5 || at > 7))).faults;
    expect(hole).toEqual({ kind: 'hole', start: Date.parse(boundaryAt(5)), end: Date.parse(boundaryAt(8)), intervals: 3 });
  });

  it('is not what comes before the first print', () => {
    expect(kindsOf(clean.slice(9))).toEqual([]);
  });
});

describe('an interval', () => {
  it('is of another length when a nanosecond is missing', () => {
    const [first, second, ...rest] = clean;
    if (first === undefined || second === undefined) throw new Error('no prints');
    const longer = { ...first, end: first.end.replace('Z', '.000000001Z') };
    expect(kindsOf([longer, second, ...rest])).toEqual(['odd length']);
  });

  it('whose times name no moment is told as such', () => {
    expect(kindsOf([{ ...printAt(3, '0.1'), end: 'soon' }])).toEqual(['unreadable']);
  });

  it('that is not from one boundary to the next is left out, and moves nothing that comes after', () => {
    const [first, second, ...rest] = clean;
    if (first === undefined || second === undefined) throw new Error('no prints');
    const late = { ...first, start: first.start.replace('00Z', '01Z'), end: first.end.replace('00Z', '01Z') };
    const { faults: found, sound } = examinePrints(toWirePrints([late, second, ...rest]));
    expect(found).toMatchObject([{ kind: 'off the boundaries' }]);
    expect(sound).toHaveLength(clean.length - 1);
  });

  it('that ends where it begins is of another length', () => {
    expect(kindsOf([{ start: boundaryAt(1), end: boundaryAt(1), rate: '0.1' }])).toEqual(['odd length']);
  });
});

describe('an interval told twice', () => {
  it('agrees where both say the same rate, however it is written', () => {
    const twice = [printAt(1, '0.0001'), printAt(1, '1e-4')];
    const { faults: found, sound } = examinePrints(toWirePrints(twice));
    expect(found).toMatchObject([{ kind: 'duplicate', agree: true }]);
    expect(sound).toHaveLength(1);
  });

  it('is not believed where they differ', () => {
    const { faults: found, sound } = examinePrints(toWirePrints([printAt(1, '0.0001'), printAt(1, '0.0002')]));
    expect(found).toMatchObject([{ kind: 'duplicate', agree: false }]);
    expect(sound).toEqual([]);
  });
});
