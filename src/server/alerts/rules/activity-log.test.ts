import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActivityReading, isMissing } from '#model/rules/readings.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { emptyJournal, pastSteps, recordPast, type NaiveReading, type Past } from '#testing/rules/past-readings.ts';
import { createActivityLog, type ActivityLog } from './rule-journal.ts';

function readingOf(log: ActivityLog): ActivityReading {
  const reading = log.reading();
  return isMissing(reading) ? expect.fail(reading.missing) : reading;
}

/** Normalises the order of events within one reading. */
function toPlain({ from, events, gaps }: Pick<ActivityReading, 'from' | 'events' | 'gaps'>) {
  return {
    from,
    events: events
      .map(({ kind, at, order: { id, account_id: account } }) => `${String(at)} ${kind} ${id} ${account}`)
      .sort(),
    gaps,
  };
}

/** Whether the events are in order of number and of time. */
function isInOrder(events: ActivityReading['events']): boolean {
  return events.every(({ number, at }, place) => {
    const before = events[place - 1];
    return before === undefined || (before.number < number && before.at <= at);
  });
}

function toNaive(readings: readonly NaiveReading[], from: number) {
  return {
    from: Math.max(from, readings[0]?.at ?? 0),
    events: readings
      .flatMap(({ events }) => events)
      .filter(({ at }) => at >= from)
      .map(({ kind, at, id, account }) => `${String(at)} ${kind} ${id} ${account}`)
      .sort(),
    gaps: readings.flatMap(({ isAfterGap, begunAt }, place) =>
      isAfterGap && begunAt > from ? [{ from: readings[place - 1]?.at ?? 0, to: begunAt }] : [],
    ),
  };
}

const createLog = ({ reader, journal }: Past): ActivityLog =>
  createActivityLog({ journal: reader, state: journal.state });

describe('the log of activity rules', () => {
  it('has after each reading what listing all of them again gives, through gaps, split and incomplete readings, sealing, restarts and other windows', async () => {
    const database = await openTestStore();
    const windows = fc.array(fc.constantFrom(60_000, 3_000_000, 30_000_000), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(pastSteps, windows, async (steps, sizes) => {
        await emptyJournal(database);
        let log: { readonly of: Past; readonly is: ActivityLog } | null = null;
        await recordPast(database, steps, async (past, readings) => {
          log = log?.of === past ? log : { of: past, is: createLog(past) };
          const from = (readings.at(-1)?.at ?? 0) - (sizes[readings.length % sizes.length] ?? 0);
          await log.is.update(from);
          expect(toPlain(readingOf(log.is))).toEqual(toNaive(readings, from));
          expect(isInOrder(readingOf(log.is).events)).toBe(true);
        });
      }),
      { numRuns: 100 },
    );
  });

  it('counts once what is recorded while it reads', async () => {
    const [before, after] = ['1', '2'].map((id) => ({
      pause: 1_200_000,
      split: 0 as const,
      isComplete: true,
      seals: false,
      restarts: false,
      orders: { [id]: { account: 'A' as const, price: 1, requested: 2, filled: 0, placed: 0 } },
    }));
    if (before === undefined || after === undefined) expect.fail();
    const database = await openTestStore();
    const states: ReturnType<Past['journal']['state']>[] = [];
    const { past } = await recordPast(database, [before, before, after], ({ journal }) => {
      states.push(journal.state());
      return Promise.resolve();
    });
    // The log begins to read in the state after the second reading, when the third already exists.
    let state = states[1] ?? expect.fail();
    const log = createActivityLog({ journal: past.reader, state: () => state });
    await log.update(0);
    expect(readingOf(log).events).toEqual([]);
    state = past.journal.state();
    await log.update(0);
    expect(
      readingOf(log)
        .events.map(({ kind, order: { id } }) => `${kind} ${id}`)
        .toSorted(),
    ).toEqual(['gone 1', 'placed 2']);
  });

  it('is not called empty before it has been read', async () => {
    const database = await openTestStore();
    await fc.assert(
      fc.asyncProperty(pastSteps, async (steps) => {
        await emptyJournal(database);
        await recordPast(database, steps, (past) => {
          expect(createLog(past).reading()).toEqual({
            missing:
              past.journal.state().lastReading === null
                ? 'The journal is empty.'
                : 'The journal has not been read yet.',
          });
          return Promise.resolve();
        });
      }),
      { numRuns: 3 },
    );
  });
});
