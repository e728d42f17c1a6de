import type { Read } from './read.ts';

/** Milliseconds, medians of one run in a fresh process or page. */
export interface Measured {
  readonly parseMs: number;
  readonly readMs: number;
  readonly ratio: number;
}

const WARM_UP_PAIRS = 4;
const PAIRS = 11;
/** A very slow contender need not run all pairs: its median is clear sooner. */
const ENOUGH_MS = 3_000;
const FEWEST_PAIRS = 5;

/** JSON.parse alone and the contender by turns, so that what slows the machine slows both. */
export function measure(read: Read, text: string, rows: number): Measured {
  proveThatItChecks(read, text, rows);
  const alone: number[] = [];
  const reading: number[] = [];
  const start = performance.now();
  for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
    if (pair >= FEWEST_PAIRS && performance.now() - start > ENOUGH_MS) break;
    const times = pair % 2 === 0 ? [time(JSON.parse, text), time(read, text)] : [time(read, text), time(JSON.parse, text)].toReversed();
    if (pair < 0) continue;
    alone.push(times[0] ?? 0);
    reading.push(times[1] ?? 0);
  }
  return { parseMs: middle(alone), readMs: middle(reading), ratio: middle(reading) / middle(alone) };
}

/** A contender that lets a wrong row pass would win by not doing the work. */
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

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
