import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { addDays } from '../time/session.ts';
import type { Bar } from './bars.ts';
import { findBadTicks, trimBadTicks } from './bad-ticks.ts';

type Prices = Partial<Readonly<Record<'open' | 'high' | 'low' | 'close' | 'settlement', number | null>>>;

const START = '2026-03-01' as Day;
/** A session as a chart reader would see it: 100 ± 2 a day. */
const calm = (level = 100): Prices => ({
  open: level,
  high: level + 2,
  low: level - 2,
  close: level + 1,
  settlement: level,
});

function toBars(sessions: readonly Prices[]): readonly Bar[] {
  return sessions.map((session, index) => {
    const date = addDays(START, index);
    const texts = Object.entries({ ...calm(), ...session }).map(([name, price]) => [
      name,
      price === null ? null : price.toFixed(2),
    ]);
    return { date, lastDate: date, sessions: 1, volume: 1, ...Object.fromEntries(texts) } as Bar;
  });
}

/** Puts the given sessions after twelve calm ones and before twelve calm ones at a given level. */
function findAmong(sessions: readonly Prices[], after = 100): readonly string[] {
  const bars = toBars([...Array<Prices>(12).fill(calm()), ...sessions, ...Array<Prices>(12).fill(calm(after))]);
  return findBadTicks(bars).map(
    ({ date, field, price }) => `${String((Date.parse(date) - Date.parse(START)) / 86_400_000 - 12)} ${field} ${price}`,
  );
}

describe('a bad tick', () => {
  it('is a price far beyond the settlements of its session and of those beside it', () => {
    expect(findAmong([{ low: 49.5 }])).toEqual(['0 low 49.50']);
    expect(findAmong([{ high: 1_000 }])).toEqual(['0 high 1000.00']);
    expect(findAmong([{ close: 50, low: 49 }, {}])).toEqual(['0 low 49.00', '0 close 50.00']);
    expect(findAmong([{ open: 200, high: 201 }])).toEqual(['0 open 200.00', '0 high 201.00']);
  });

  it('is found in several sessions in a row', () => {
    expect(findAmong([{ low: 50 }, { low: 50 }, { high: 200 }])).toEqual([
      '0 low 50.00',
      '1 low 50.00',
      '2 high 200.00',
    ]);
  });

  it('is none of a session that moves far and stays there, nor of the sessions around it', () => {
    expect(findAmong([{ open: 60, high: 62, low: 48, close: 50, settlement: 50 }], 50)).toEqual([]);
    expect(findAmong([{ open: 100, high: 260, low: 99, close: 250, settlement: 250 }], 250)).toEqual([]);
    // The move begins at the end of one session and is confirmed by the next.
    expect(findAmong([{ low: 52, close: 53 }], 50)).toEqual([]);
    // A crash and its rebound, one session each.
    expect(
      findAmong([
        { low: 55, close: 57, settlement: 58 },
        { open: 57, low: 56, high: 101, close: 99 },
      ]),
    ).toEqual([]);
  });

  it('is none of a session that recovers from a fall of 15 %, or of a market whose ranges are as wide', () => {
    expect(findAmong([{ low: 85 }])).toEqual([]);
    const wide = Array.from({ length: 30 }, (): Prices => ({ high: 115, low: 92 }));
    expect(findBadTicks(toBars([...wide, { low: 60 }, ...wide]))).toEqual([]);
  });

  it('is found in the first and the last session, but not where the open is all there is to judge by', () => {
    const many = Array<Prices>(12).fill(calm());
    const fields = (sessions: readonly Prices[]) => findBadTicks(toBars(sessions)).map(({ field }) => field);
    expect([fields([{ low: 50 }, ...many]), fields([...many, { low: 50 }])]).toEqual([['low'], ['low']]);
    expect(fields([{ open: 200, high: 201 }, ...many])).toEqual([]);
  });

  it('is not judged without a settlement or trades, among too few sessions, or where no price has moved', () => {
    expect(findAmong([{ low: 50, settlement: null }])).toEqual([]);
    expect(findBadTicks(toBars([{}, {}, { low: 50 }, {}]))).toEqual([]);
    const bars = toBars([
      ...Array<Prices>(12).fill(calm()),
      { open: 0, high: 0, low: 0, close: 0 },
      ...Array<Prices>(12).fill(calm()),
    ]);
    expect(findBadTicks(bars.map((bar, index) => (index === 12 ? { ...bar, volume: 0 } : bar)))).toEqual([]);
    const still = Array<Prices>(12).fill({ open: 1, high: 1, low: 1, close: 1, settlement: 1 });
    expect(findBadTicks(toBars([...still, { open: 1, high: 5, low: 1, close: 1, settlement: 1 }, ...still]))).toEqual(
      [],
    );
  });

  it('is judged by distances, so that a spread’s prices may be zero or negative', () => {
    const spread = Array.from({ length: 24 }, (): Prices => ({ open: -1, high: 2, low: -3, close: 0, settlement: -1 }));
    expect(
      findBadTicks(toBars([...spread, { open: -1, high: 2, low: -90, close: 0, settlement: 0 }, ...spread])).map(
        ({ price }) => price,
      ),
    ).toEqual(['-90.00']);
  });

  it('is the same in any unit', () => {
    const sessions = fc.array(
      fc.record({ low: fc.integer({ min: 1, max: 98 }), high: fc.integer({ min: 103, max: 900 }) }),
      { minLength: 8, maxLength: 30 },
    );
    fc.assert(
      fc.property(sessions, fc.constantFrom(4, 0.25), (changes, factor) => {
        const bars = toBars(changes);
        const scaled = bars.map((bar) => ({
          ...bar,
          ...Object.fromEntries(
            ['open', 'high', 'low', 'close', 'settlement'].map((name) => [
              name,
              String(Number(bar[name as 'open']) * factor),
            ]),
          ),
        }));
        const places = (list: readonly Bar[]) => findBadTicks(list).map(({ date, field }) => `${date} ${field}`);
        expect(places(scaled)).toEqual(places(bars));
      }),
    );
  });
});

describe('sessions without their bad ticks', () => {
  it('end where their other prices do', () => {
    const bars = toBars([
      ...Array<Prices>(12).fill(calm()),
      { open: 99, high: 300, low: 40, close: 41, settlement: 101 },
      ...Array<Prices>(12).fill(calm()),
    ]);
    const trimmed = trimBadTicks(bars, findBadTicks(bars));
    expect(trimmed[12]).toMatchObject({
      open: '99.00',
      high: '101.00',
      low: '99.00',
      close: '101.00',
      settlement: '101.00',
    });
    expect(trimmed.filter((bar, index) => bar !== bars[index])).toHaveLength(1);
  });

  it('are the same list where there are none', () => {
    const bars = toBars([{}, {}]);
    expect(trimBadTicks(bars, [])).toBe(bars);
  });
});
