import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../lib/random.ts';
import { artifacts } from '../lib/report.ts';
import { median } from '../lib/statistics.ts';
import type { Contender } from './contender.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export const ORDERS = 10_000;
/** Ten minutes of readings, with 600 changes each. */
export const READINGS_PER_SEGMENT = 150;
export const CHANGES_PER_SEGMENT = 90_000;
const SAMPLES = 20;
const SEED = 7;
const SEGMENTS_PER_NOTE = 50;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

export interface Kept {
  readonly contender: Contender;
  readonly changes: number;
  readonly bytesPerChange: number;
  /**
   * The share of counts in what is stored, and the bytes per change without the database around it; null if nothing is
   * counted.
   */
  readonly counts: { readonly share: number; readonly bytesPerChange: number } | null;
  /** The mean per segment. What generates the changes is not counted. */
  readonly sealMs: number;
  readonly questions: Questions;
}

/** What is looked up, with the expected result. */
interface Questions {
  readonly books: readonly { readonly segment: number; readonly reading: number }[];
  readonly lives: ReadonlyMap<string, number>;
  /** How many changes each minute has. */
  readonly minutes: ReadonlyMap<number, number>;
}

export interface Responded {
  readonly bookMs: number;
  readonly lifeMs: number;
  /** The counts of at most a day, and what reading their bytes takes. NaN if nothing is counted. */
  readonly countsMs: number;
  readonly countsBytesMs: number;
}

export interface Amount {
  readonly changes: number;
  readonly products: number;
  /** No further segment is begun after this time. */
  readonly mostMs: number;
}

/** Returns an empty folder for a contender's files. */
export function emptyFolder(name: string): string {
  const folder = join(artifacts, 'journal', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

export async function keepAll(contender: Contender, { changes: wanted, products, mostMs }: Amount): Promise<Kept> {
  const segments = Math.max(1, Math.round(wanted / CHANGES_PER_SEGMENT));
  const traffic = createTraffic(ORDERS, products, SEED);
  const sample = createSample(segments);
  const [startedCpu, startedAt] = [process.cpuUsage(), performance.now()];
  let madeMs = 0;
  let changes = 0;
  for (let number = 0; number < segments && performance.now() - startedAt < mostMs; number++) {
    const beforeMaking = process.threadCpuUsage();
    const segment = nextSegment(traffic, number);
    sample.look(segment);
    madeMs += toMs(process.threadCpuUsage(beforeMaking));
    changes += segment.changes.length;
    await contender.keep(segment);
    if (number % SEGMENTS_PER_NOTE === SEGMENTS_PER_NOTE - 1)
      process.stderr.write(
        `${String(changes)} changes kept after ${String(Math.round((performance.now() - startedAt) / 1_000))} s\n`,
      );
  }
  await contender.settle?.();
  const sealMs = ((toMs(process.cpuUsage(startedCpu)) - madeMs) / changes) * CHANGES_PER_SEGMENT;
  const bytes = await contender.counts?.bytes();
  const counts = bytes === undefined ? null : { share: bytes.counts / bytes.all, bytesPerChange: bytes.all / changes };
  return { contender, changes, bytesPerChange: contender.size() / changes, counts, sealMs, questions: sample };
}

function nextSegment(traffic: Traffic, number: number) {
  const [start, base] = [traffic.reading(), traffic.book()];
  return { number, start, base, changes: Array.from({ length: READINGS_PER_SEGMENT }, traffic.next).flat() };
}

/**
 * Returns readings and orders spread over all segments, the same ones for each contender. The orders are ones that
 * occur for the first time.
 */
function createSample(segments: number) {
  const random = createRandom(SEED);
  const books: { segment: number; reading: number }[] = [];
  const lives = new Map<string, number>();
  const minutes = new Map<number, number>();
  const shareOfSegments = SAMPLES / segments;
  const count = (): number => Math.floor(shareOfSegments) + (random() < shareOfSegments % 1 ? 1 : 0);
  return {
    books,
    lives,
    minutes,
    look: ({ number, changes }: ReturnType<typeof nextSegment>): void => {
      for (const { to } of changes)
        minutes.set(Math.floor(to / MINUTE_MS), (minutes.get(Math.floor(to / MINUTE_MS)) ?? 0) + 1);
      for (const { id } of changes) if (lives.has(id)) lives.set(id, (lives.get(id) ?? 0) + 1);
      for (let wanted = count(); wanted > 0; wanted--) {
        const { to } = changes[Math.floor(random() * changes.length)] ?? { to: 0 };
        books.push({ segment: number, reading: to });
        const seen = changes.find(({ kind, id, to: at }) => kind === 'seen' && at >= to && !lives.has(id));
        if (seen !== undefined) lives.set(seen.id, changes.filter(({ id }) => id === seen.id).length);
      }
    },
  };
}

/** Returns the medians over all samples. A result that is wrong is not a measurement. */
export async function ask({ contender, questions: { books, lives, minutes } }: Kept): Promise<Responded> {
  await contender.reopen?.();
  const bookTimes = await timeEach(books, async ({ segment, reading }) => {
    check(await contender.countBook(segment, reading), ORDERS);
  });
  const lifeTimes = await timeEach([...lives], async ([id, changes]) => {
    check(await contender.countLife(id), changes);
  });
  return { bookMs: median(bookTimes), lifeMs: median(lifeTimes), ...(await askCounts(contender, minutes)) };
}

async function askCounts(
  { counts }: Contender,
  minutes: Questions['minutes'],
): Promise<Pick<Responded, 'countsMs' | 'countsBytesMs'>> {
  if (counts === undefined) return { countsMs: NaN, countsBytesMs: NaN };
  const end = Math.max(...minutes.keys()) + 1;
  const [from, to] = [end - DAY_MINUTES, end].map((minute) => minute * MINUTE_MS) as [number, number];
  const expected = [...minutes].reduce(
    (sum, [minute, changes]) => sum + (minute >= end - DAY_MINUTES ? changes : 0),
    0,
  );
  const countsBytesMs = await cpuMsOf(() => counts.readBytes(from));
  const countsMs = await cpuMsOf(async () => {
    check(await counts.count(from, to), expected);
  });
  return { countsMs, countsBytesMs };
}

async function timeEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<readonly number[]> {
  const times: number[] = [];
  for (const item of items) times.push(await cpuMsOf(() => act(item)));
  return times;
}

/** Counts time on all cores together, because other programs may keep them busy. */
async function cpuMsOf(act: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  return toMs(process.cpuUsage(before));
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

function check(found: number, expected: number): void {
  if (found !== expected) throw new Error(`${String(found)} found instead of ${String(expected)}`);
}
