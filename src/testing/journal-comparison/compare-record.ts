import type { OrderRecord, RecordedChange } from './order-record.ts';

/** A change in the journal, reduced to what is compared. */
export interface JournaledChange {
  readonly kind: string;
  readonly id: string;
  readonly filled: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** When the journal made the reading, by the exchange's clock, in epoch milliseconds. */
export interface ReadTimes {
  readonly first: number;
  readonly last: number;
  readonly gaps: readonly Span[];
  /** Orders accepted earlier must be in the journal, whether or not a reading listed them. */
  readonly found: number;
}

export const REASONS = {
  recent: 'too recent: the order history was not read since',
  neverRested: 'never rested: closed as it came',
  gap: 'in a gap',
  cameAndWent: 'came and went between two readings',
  followed: 'followed by another of the order before the next reading',
  notLookedUp: 'filled last, and the order history not read for it yet',
  unexplained: 'no reason found',
} as const;
export type Reason = keyof typeof REASONS;

/** What happened to orders of one kind, and how much of it the journal has. */
export interface Compared {
  happened: number;
  seen: number;
  readonly missed: Record<Reason, number>;
}

export interface Comparison {
  readonly placed: Compared;
  readonly filled: Compared;
  readonly closed: Compared;
  /** Events before the first reading or after the last one, which are not compared. */
  readonly outside: number;
  /** Of the orders that are gone in the journal, the number whose end it knows. */
  readonly ended: number;
}

/** Something that happened to an order. */
interface Step extends RecordedChange {
  readonly kind: 'placed' | 'filled' | 'closed';
}

/** Compares the journal with what the exchange recorded over the same time. */
export function compareRecord(
  { changes, filledBefore }: OrderRecord,
  journaled: readonly JournaledChange[],
  times: ReadTimes,
): Comparison {
  const states = Map.groupBy(journaled, ({ id }) => id);
  const result = { placed: createCompared(), filled: createCompared(), closed: createCompared(), outside: 0, ended: 0 };
  for (const [id, ofOrder] of Map.groupBy(changes, (change) => change.id)) {
    const known = states.get(id) ?? [];
    const steps = toSteps(ofOrder, filledBefore.get(id) ?? 0);
    const lastFill = steps.findLast(({ kind }) => kind === 'filled');
    for (const step of steps) {
      if (step.at < times.first || step.at >= times.last) result.outside += 1;
      else
        count(result[step.kind], isSeen(step, known), () =>
          findReason({ step, lastFill, first: ofOrder[0], known }, times),
        );
    }
  }
  for (const { kind } of journaled) if (kind === 'ended') result.ended += 1;
  return result;
}

function isSeen({ kind, filled }: Step, known: readonly JournaledChange[]): boolean {
  switch (kind) {
    case 'placed':
      return known.some(({ kind: one }) => one === 'seen' || one === 'passed');
    case 'filled':
      return known.some((change) => change.filled === filled);
    case 'closed':
      return known.some(({ kind: one }) => one === 'gone' || one === 'passed');
  }
}

interface Missed {
  readonly step: Step;
  readonly lastFill: Step | undefined;
  /** The first change of the order that was recorded. */
  readonly first: RecordedChange | undefined;
  readonly known: readonly JournaledChange[];
}

function findReason({ step, lastFill, first, known }: Missed, { gaps, found }: ReadTimes): Reason {
  if (known.length === 0 && first?.isNew === true && first.at >= found) return 'recent';
  if (first?.isNew === true && first.isClosed) return 'neverRested';
  if (gaps.some(({ from, to }) => step.at >= from && step.at < to)) return 'gap';
  if (known.length === 0) return 'cameAndWent';
  if (step.kind !== 'filled') return 'unexplained';
  return step === lastFill ? 'notLookedUp' : 'followed';
}

function createCompared(): Compared {
  return {
    happened: 0,
    seen: 0,
    missed: { recent: 0, neverRested: 0, gap: 0, cameAndWent: 0, followed: 0, notLookedUp: 0, unexplained: 0 },
  };
}

function count(compared: Compared, isSeenByJournal: boolean, reasonOf: () => Reason): void {
  compared.happened += 1;
  if (isSeenByJournal) compared.seen += 1;
  else compared.missed[reasonOf()] += 1;
}

/** Splits a record into steps: an order may be placed, filled and closed at once. */
function toSteps(changes: readonly RecordedChange[], filledBefore: number): readonly Step[] {
  return changes.flatMap((change, index): Step[] => [
    ...(change.isNew && index === 0 ? [{ ...change, kind: 'placed' as const }] : []),
    ...(change.filled > (changes[index - 1]?.filled ?? filledBefore) ? [{ ...change, kind: 'filled' as const }] : []),
    ...(change.isClosed ? [{ ...change, kind: 'closed' as const }] : []),
  ]);
}
