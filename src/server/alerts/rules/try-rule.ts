import type { Rule } from '#contract/desk/rules.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';
import type { OrderTest } from '#model/rules/match-orders.ts';
import type { ReadingTime } from '#server/journal/journal-store.ts';
import type { JournalReader, ShownChange } from '#server/journal/read-journal.ts';
import { createReplay, type Replay, type Unread } from './replay-rule.ts';
import { WORKING } from './rule-topics.ts';
import { tooOldAfterMs } from './topic-readings.ts';

export interface TrialParts {
  readonly journal: Pick<JournalReader, 'bookAt' | 'changes' | 'gaps' | 'readings'>;
  /** Since when the journal has readings; null: it has none. */
  readonly keptFrom: number | null;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** Lets others work. */
  readonly yield: () => Promise<void>;
}

export interface Trial {
  readonly from: number;
  /** How far it was tried. */
  readonly to: number;
  /** The times in between in which nothing was read. */
  readonly gaps: readonly Unread[];
  readonly firings: ReturnType<Replay['firings']>;
}

const PAGE = 2_000;
const MAX_MS = 10_000;
const SLICE_MS = 20;
const MOST_FIRINGS = 1_000;

/** Why a rule cannot be tried on the journal, a sentence; null where it can. */
export function findTrialObstacle(rule: Rule): string | null {
  if (findMeasure(rule.about, rule.measure)?.inJournal === true) return null;
  return rule.about === 'orders'
    ? 'The journal holds orders, but not the prices they were compared with.'
    : 'The journal holds only orders.';
}

/** When a rule would have fired, by the readings of the journal between two times. */
export async function tryOnJournal(
  rule: Rule,
  test: OrderTest,
  span: { readonly from: number; readonly to: number },
  parts: TrialParts,
): Promise<Trial> {
  const { keptFrom } = parts;
  if (keptFrom === null || keptFrom > span.to) return { from: span.to, to: span.to, gaps: [], firings: [] };
  const { from, begin, gaps, times, replay } = await prepare(rule, test, span, { ...parts, keptFrom });
  const end = await replayAll(replay, pastReadings(parts.journal, times, begin, span.to), from, parts);
  const toTrial = (to: number): Trial => ({ from, to, gaps: clip(gaps, from, to), firings: replay.firings() });
  if (end !== null) return toTrial(end);
  const last = gaps.at(-1);
  if (last?.to === span.to) replay.lose(last.from);
  replay.end(span.to);
  return toTrial(span.to);
}

/** What it begins with. */
async function prepare(
  rule: Rule,
  test: OrderTest,
  span: { readonly from: number; readonly to: number },
  { journal, keptFrom }: TrialParts & { readonly keptFrom: number },
) {
  const windowMs = rule.about === 'activity' ? rule.window_seconds * 1_000 : 0;
  const from = Math.max(span.from, keptFrom);
  // Not in the middle of a reading that was made of several parts.
  const begin = (await journal.bookAt(Math.max(span.from - windowMs, keptFrom)))?.reading.to ?? keptFrom;
  const [book, gaps, times] = await Promise.all([
    journal.bookAt(begin),
    findUnread(journal, begin, span.to),
    journal.readings(begin + 1, span.to),
  ]);
  const replay = createReplay(rule, test, {
    begin,
    from,
    orders: [...(book?.orders ?? [])],
    isComplete: book?.reading.isComplete === true,
    gaps,
  });
  return { from, begin, gaps, times, replay };
}

/** Where it has taken too long, or fired too often, by when; null: all were replayed. */
async function replayAll(
  replay: Replay,
  readings: AsyncIterable<PastReading>,
  from: number,
  { elapsed, ...parts }: Pick<TrialParts, 'elapsed' | 'yield'>,
): Promise<number | null> {
  const startedAt = elapsed();
  let sliceAt = startedAt;
  for await (const { reading, changes } of readings) {
    replay.read(reading, changes);
    if (reading.to >= from && (elapsed() - startedAt > MAX_MS || replay.firings().length >= MOST_FIRINGS))
      return reading.to;
    if (elapsed() - sliceAt < SLICE_MS) continue;
    await parts.yield();
    sliceAt = elapsed();
  }
  return null;
}

/** The gaps, and the time since the last reading if that is too long ago to say anything about the end. */
async function findUnread(
  { gaps, bookAt }: TrialParts['journal'],
  from: number,
  to: number,
): Promise<readonly Unread[]> {
  const [closed, end] = await Promise.all([gaps(from, to), bookAt(to)]);
  if (end === null) return closed;
  const { reading } = end;
  const known = closed.filter((gap) => gap.from < reading.to);
  return to - reading.to <= tooOldAfterMs(WORKING.everySeconds) ? known : [...known, { from: reading.to, to }];
}

function clip(gaps: readonly Unread[], from: number, to: number): readonly Unread[] {
  return gaps
    .map((gap) => ({ from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
    .filter((gap) => gap.from < gap.to);
}

interface PastReading {
  readonly reading: ReadingTime;
  readonly changes: readonly ShownChange[];
}

/** The readings, the oldest first, each with what it showed: the parts that one was made of count together, and a page may end in the middle of one. */
async function* pastReadings(
  { changes }: TrialParts['journal'],
  times: readonly ReadingTime[],
  from: number,
  to: number,
): AsyncGenerator<PastReading> {
  let place = 0;
  let waiting: readonly ShownChange[] = [];
  for (let after: Parameters<typeof changes>[0]['after'] = null; ;) {
    const page = await changes({
      from: from + 1,
      to: to + 1,
      isNewestFirst: false,
      after,
      limit: PAGE,
      matches: () => true,
    });
    waiting = [...waiting, ...page.changes];
    for (let reading = times[place]; reading !== undefined; reading = times[++place]) {
      const { to: at } = reading;
      const end = waiting.findIndex((change) => change.to > at);
      if (end === -1 && page.next !== null) break;
      yield { reading, changes: end === -1 ? waiting : waiting.slice(0, end) };
      waiting = end === -1 ? [] : waiting.slice(end);
    }
    if (page.next === null) return;
    after = page.next;
  }
}
