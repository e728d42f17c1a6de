import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecords, openTestSimulation } from '#testing/simulation/open-test-simulation.ts';
import { createBook, type Entry } from './book.ts';
import { addSample, estimateRate, NO_SAMPLES, premiumOf, settleRate, type FundingProgress } from './funding.ts';

const SCRIPT = fileURLToPath(new URL('./funding-check.py', import.meta.url));

interface Report {
  readonly productId: number;
  readonly samples: number;
  readonly rate: number;
  readonly agrees: boolean | null;
}

function check(lines: readonly object[], file?: string) {
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  const run = spawnSync('python3', [SCRIPT, ...(file ? [file] : [])], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (run.error) throw new Error('python3 is needed to recompute funding independently', { cause: run.error });
  const reports = run.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report);
  return { status: run.status, reports, summary: run.stderr.trim() };
}

const SEED = 20_260_817;

/**
 * Generates an interval's samples around a level: all of them, or with gaps at the beginning, inside and at the end.
 */
const taken = fc.integer({ min: -9_000_000, max: 11_000_000 }).chain((level) => {
  const premium = fc.integer({ min: level - 4_000_000, max: level + 4_000_000 }).map((units) => units / 1e10);
  const whole = fc.array(premium, { minLength: 1920, maxLength: 1920 });
  const gaps = fc.tuple(fc.integer({ min: 1, max: 1920 }), premium);
  return fc.oneof(
    whole.map((all) => all.map((value, at) => [at + 1, value] as const)),
    fc.uniqueArray(gaps, { minLength: 1, maxLength: 60, selector: ([i]) => i }),
  );
});

const progressOf = (samples: readonly (readonly [number, number])[]): FundingProgress =>
  samples.toSorted(([a], [b]) => a - b).reduce((progress, [i, value]) => addSample(progress, i, value), NO_SAMPLES);

describe('funding-check.py', () => {
  it('computes the rates that the exchange settles, of complete intervals and of those with gaps', () => {
    const intervals = fc
      .sample(taken, { numRuns: 60, seed: SEED })
      .map((samples, productId) => ({ productId, samples, rate: settleRate(progressOf(samples)) }));
    const lines = intervals.flatMap(({ productId, samples, rate }) => [
      { productId, start: 0, rate },
      ...samples.map(([i, value]) => ({ productId, intervalStart: 0, i, premium: value })),
    ]);
    const { status, reports, summary } = check(lines);
    expect(reports.filter(({ agrees }) => agrees !== true)).toEqual([]);
    expect(summary).toBe('60 settled rates recomputed, 0 disagree');
    expect(status).toBe(0);
    expect(reports.map(({ rate }) => rate)).toEqual(intervals.map(({ rate }) => rate));
    expect(new Set(reports.map(({ rate }) => rate)).size).toBeGreaterThan(20);
  });

  it('computes the predicted rate of the current interval', () => {
    const intervals = fc
      .sample(taken, { numRuns: 20, seed: SEED })
      .map((samples, productId) => ({ productId, samples }));
    const lines = intervals.flatMap(({ productId, samples }) =>
      samples.map(([i, value]) => ({ productId, intervalStart: 0, i, premium: value })),
    );
    const { reports } = check(lines);
    expect(reports.map(({ rate }) => rate)).toEqual(intervals.map(({ samples }) => estimateRate(progressOf(samples))));
  });

  it('computes the premium of a book, and the rate from it', () => {
    const entry = fc.record({
      price: fc.integer({ min: 17_400, max: 17_600 }),
      quantity: fc.integer({ min: 1, max: 500 }),
    });
    const index = fc.integer({ min: 1_740_000, max: 1_760_000 }).map((hundredths) => hundredths / 100);
    const arbitrary = fc.record({ bids: fc.array(entry), asks: fc.array(entry), index });
    const books = fc.sample(arbitrary, { numRuns: 300, seed: SEED });
    let progress = NO_SAMPLES;
    const lines = books.flatMap(({ bids, asks, index }, at) => {
      const book = createBook();
      const rest = (side: Entry['side']) => (one: { price: number; quantity: number }, n: number) => {
        // Each side is sampled independently: the formula also works for a crossed book.
        book.restore({ ...one, id: BigInt(n + (side === 'Bid' ? 1_000 : 2_000)), owner: '', side, timeInForce: 'GTC' });
      };
      bids.forEach(rest('Bid'));
      asks.forEach(rest('Ask'));
      const value = premiumOf(book.meanPrice('Bid'), book.meanPrice('Ask'), index);
      if (book.size() > 0) progress = addSample(progress, at + 1, value);
      const levels = (side: Entry['side']) => book.levels(side).map(({ price, quantity }) => [price, quantity]);
      return [{ productId: 1, intervalStart: 0, i: at + 1, index, bids: levels('Bid'), asks: levels('Ask') }];
    });
    const { status, reports } = check([{ productId: 1, start: 0, rate: settleRate(progress) }, ...lines]);
    expect(reports).toMatchObject([
      { samples: books.filter(({ bids, asks }) => bids.length + asks.length > 0).length, agrees: true },
    ]);
    expect(status).toBe(0);
  });

  it('reports a settled rate that differs from its samples', () => {
    const { status, reports, summary } = check([
      { productId: 1, start: 0, rate: 0.00010001 },
      { productId: 1, intervalStart: 0, i: 1, premium: 0 },
    ]);
    expect(reports).toMatchObject([{ rate: 0.0001, agrees: false }]);
    expect(summary).toBe('1 settled rates recomputed, 1 disagree');
    expect(status).toBe(1);
  });

  it('does not pass without samples', () => {
    expect(check([{ productId: 1, start: 0, rate: 0.0001 }]).status).toBe(2);
  });

  it('computes every rate that an exchange settled while it ran, from its SQLite file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'funding-check-'));
    const file = join(folder, 'venue.sqlite');
    const records = await openRecords(file);
    const world = await openTestSimulation({ start: '2026-03-07T20:00:00Z', historyDays: 3, records });
    await world.advanceTo('2026-03-08T08:10:00Z');
    const perpetuals = [...world.products.values()].filter(({ kind }) => kind === 'perpetual').length;
    await records.store.close();
    const { status, reports, summary } = check([], file);
    rmSync(folder, { recursive: true });
    expect(summary).toMatch(/ settled rates recomputed, 0 disagree$/);
    expect(status).toBe(0);
    const settled = reports.filter(({ agrees }) => agrees === true);
    // Two intervals ended, and one is in progress.
    expect(settled).toHaveLength(2 * perpetuals);
    expect(settled.every(({ samples }) => samples === 1920)).toBe(true);
    expect(reports).toHaveLength(3 * perpetuals);
    expect(new Set(settled.map(({ rate }) => rate)).size).toBeGreaterThan(3);
  });
});
