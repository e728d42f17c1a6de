import { median } from '../lib/statistics.ts';
import type { Read } from './read.ts';

/**
 * The medians of one run in a fresh process or page. The ratio is the median of the pairs' ratios, so a slow moment
 * spoils one pair and not the sum.
 */
export interface Measured {
  readonly parseMs: number;
  readonly readMs: number;
  readonly ratio: number;
}

const WARM_UP_PAIRS = 4;
const PAIRS = 15;
/** A very slow contender need not run all pairs, because its median is clear sooner. */
const ENOUGH_MS = 3_000;
const FEWEST_PAIRS = 5;

/** Runs JSON.parse alone and the contender alternately, so that a slow machine slows both. */
export function measure(read: Read, text: string, rows: number): Measured {
  proveThatItChecks(read, text, rows);
  const pairs: Pair[] = [];
  const start = performance.now();
  for (let index = -WARM_UP_PAIRS; index < PAIRS; index++) {
    if (index >= FEWEST_PAIRS && performance.now() - start > ENOUGH_MS) break;
    const pair = timePair(read, text, index % 2 === 0);
    if (index >= 0) pairs.push(pair);
  }
  return {
    parseMs: median(pairs.map((pair) => pair.parse)),
    readMs: median(pairs.map((pair) => pair.read)),
    ratio: median(pairs.map((pair) => pair.read / pair.parse)),
  };
}

interface Pair {
  readonly parse: number;
  readonly read: number;
}

function timePair(read: Read, text: string, parseFirst: boolean): Pair {
  if (parseFirst) return { parse: time(JSON.parse, text), read: time(read, text) };
  const first = time(read, text);
  return { parse: time(JSON.parse, text), read: first };
}

/** Checks the contender: one that accepts a wrong row would win by not doing the work. */
function proveThatItChecks(read: Read, text: string, rows: number): void {
  if (read(text)?.length !== rows) throw new Error('the contender refuses good rows');
  const last = text.lastIndexOf('"quantity_filled":');
  const retyped = `${text.slice(0, last)}${text.slice(last).replace(/:(\d+)/, ':"$1"')}`;
  if (read(retyped) !== null) throw new Error('the contender lets a retyped field pass');
}

function time(work: (text: string) => unknown, text: string): number {
  const start = performance.now();
  work(text);
  return performance.now() - start;
}
