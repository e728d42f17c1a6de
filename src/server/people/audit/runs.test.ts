import { expect, test } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { type AuditEvent, createAuditStore } from './audit-store.ts';
import { createRuns } from './starts.ts';

const UNCLEAN =
  'Started, version 1.2.0; the previous run did not end cleanly: up to a minute of repeated reads may be missing.';

test('a start says whether the run before it ended cleanly, also where another desk has taken the store over', async () => {
  const store = createAuditStore(await openTestStore());
  const recorded: string[] = [];
  const audit = { record: ({ kind, detail }: AuditEvent) => Promise.resolve(void recorded.push(`${kind}: ${detail}`)) };
  let time = 1_700_000_000_000;
  const begin = async () => {
    const runs = createRuns({ store, audit, now: () => (time += 1) });
    await runs.begin('1.2.0');
    return runs;
  };
  const taken = (): readonly string[] => recorded.splice(0);
  const first = await begin();
  await first.end();
  expect(taken()).toEqual(['started: Started, version 1.2.0.']);
  await begin();
  expect(taken()).toEqual(['started: Started, version 1.2.0.']);
  const superseded = await begin();
  const owner = await begin();
  expect(taken()).toEqual([`unclean stop: ${UNCLEAN}`, `unclean stop: ${UNCLEAN}`]);
  // This run ends before the one that has taken over, which could still be killed.
  await superseded.end();
  const next = await begin();
  expect(taken()).toEqual([`unclean stop: ${UNCLEAN}`]);
  await owner.end();
  await next.end();
  // A command on the data folder neither begins nor ends a run.
  await createRuns({ store, audit, now: () => 0 }).end();
  await begin();
  expect(taken()).toEqual(['started: Started, version 1.2.0.']);
});

test('where the mark cannot be removed, the next start says so, and closing does not fail', async () => {
  const notes: string[] = [];
  const store = {
    note: () => Promise.resolve(notes.at(-1) ?? null),
    putNote: (_: string, body: string) =>
      notes.length > 0 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(void notes.push(body)),
  };
  const runs = createRuns({ store, audit: { record: () => Promise.resolve() }, now: () => 0 });
  await runs.begin('1.2.0');
  await expect(runs.end()).resolves.toBeUndefined();
  expect(notes).toEqual(['1970-01-01T00:00:00.000Z']);
});
