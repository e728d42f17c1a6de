import { createFundingSeries, type FundingSeries } from '../../../src/model/funding/funding-series.ts';
import { measureWindow, toWindow, type WindowMeasures } from '../../../src/model/funding/funding-window.ts';
import { createPrints, INTERVALS, PERPETUALS, SETTLED_TO } from './prints.ts';

export interface WindowTimes {
  readonly floatMs: number;
  readonly exactMs: number;
  readonly examineMs: number;
}

const DAYS = [1, 7, 30, 90, INTERVALS / 3] as const;
const REPEATS = 40;

/** Measures both alternately. Floats and integers are prepared in advance. */
export function measureWindows(rounds: number): readonly WindowTimes[] {
  const rows = Array.from({ length: PERPETUALS }, (_, index) => createPrints(index + 1));
  const series = rows.map((prints) => createFundingSeries({ prints, knownFrom: null, reachesLaunch: true }));
  const floats = rows.map((prints) => prints.map(({ funding_rate }) => Number(funding_rate)).reverse());
  assertSame(series, floats);
  return Array.from({ length: rounds }, (_, round) => {
    const first = round % 2 === 0 ? time(() => passFloats(floats)) : null;
    const exactMs = time(() => passExact(series));
    const floatMs = first ?? time(() => passFloats(floats));
    const [prints = []] = rows;
    return {
      exactMs,
      floatMs,
      examineMs: PERPETUALS * time(() => createFundingSeries({ prints, knownFrom: null, reachesLaunch: true }), 3),
    };
  });
}

/** Returns the CPU time per repeat, so that other load on the machine does not count. */
function time(work: () => unknown, repeats = REPEATS): number {
  const start = process.threadCpuUsage();
  for (let index = 0; index < repeats; index += 1) work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000 / repeats;
}

function passExact(series: readonly FundingSeries[]): readonly WindowMeasures[] {
  return series.flatMap((one) => DAYS.map((days) => measureWindow(one, toWindow(days, SETTLED_TO))));
}

interface FloatMeasures {
  readonly sum: number;
  readonly apr: number;
  readonly deviation: number;
  readonly positive: number;
  readonly baseline: number;
  readonly longestRun: number;
}

/** The plain implementation, which adds up every window number by number. */
function passFloats(all: readonly (readonly number[])[]): readonly FloatMeasures[] {
  return all.flatMap((rates) => DAYS.map((days) => passWindow(rates, rates.length - days * 3)));
}

function passWindow(rates: readonly number[], from: number): FloatMeasures {
  let [sum, squares, positive, baseline, run, longestRun, sign] = [0, 0, 0, 0, 0, 0, 2];
  for (let at = from; at < rates.length; at += 1) {
    const rate = rates[at] ?? 0;
    sum += rate;
    squares += rate * rate;
    if (rate > 0) positive += 1;
    if (rate === 0.0001) baseline += 1;
    run = Math.sign(rate) === sign ? run + 1 : 1;
    sign = Math.sign(rate);
    if (run > longestRun) longestRun = run;
  }
  const count = rates.length - from;
  return {
    sum,
    apr: (sum / count) * 1_095,
    deviation: Math.sqrt((squares - (sum * sum) / count) / (count - 1)),
    positive,
    baseline,
    longestRun,
  };
}

/** Expects both passes to compute the same: otherwise the comparison would be void. */
function assertSame(series: readonly FundingSeries[], floats: readonly (readonly number[])[]): void {
  const exact = passExact(series);
  for (const [index, float] of passFloats(floats).entries()) {
    const one = exact[index];
    const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
    if (one === undefined) throw new Error('a window is missing');
    const same =
      one.positive === float.positive && one.baseline === float.baseline && one.longestStreak === float.longestRun;
    if (
      !same ||
      !close(Number(one.sum), float.sum) ||
      !close(Number(one.apr), float.apr) ||
      !close(Number(one.standardDeviation), float.deviation)
    )
      throw new Error('the two passes do not agree');
  }
}
