import { expect, test } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { type AuditEvent, createAuditStore } from './audit-store.ts';
import { ALONE, createRuns } from './starts.ts';

const UNCLEAN =
  'Started, version 1.2.0; the previous run did not end cleanly: up to a minute of repeated reads may be missing.';

test('a start says whether the run before it ended cleanly, also where another desk has taken the store over', async () => {
  const store = createAuditStore(await openTestStore());
  const recorded: string[] = [];
  const audit = { record: ({ kind, detail }: AuditEvent) => Promise.resolve(void recorded.push(`${kind}: ${detail}`)) };
  let time = 1_700_000_000_000;
  const begin = async () => {
    const runs = createRuns({ store, audit, ...ALONE, now: () => (time += 1) });
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
  await createRuns({ store, audit, ...ALONE, now: () => 0 }).end();
  await begin();
  expect(taken()).toEqual(['started: Started, version 1.2.0.']);
});

test('where the mark cannot be removed, the next start says so, and closing does not fail', async () => {
  const notes: string[] = [];
  const store = {
    runs: () => Promise.resolve(new Map<string, string>()),
    putNote: (_: string, body: string) => Promise.resolve(void notes.push(body)),
    clearNote: () => Promise.reject(new Error('the disk is full')),
  };
  const runs = createRuns({ store, audit: { record: () => Promise.resolve() }, ...ALONE, now: () => 0 });
  await runs.begin('1.2.0');
  await expect(runs.end()).resolves.toBeUndefined();
  expect(notes).toEqual(['1970-01-01T00:00:00.000Z']);
});

test('of several desks, each says how it ended itself, and one that starts what has become of those not seen lately', async () => {
  const store = createAuditStore(await openTestStore());
  const recorded: string[] = [];
  const audit = { record: ({ kind, detail }: AuditEvent) => Promise.resolve(void recorded.push(`${kind}: ${detail}`)) };
  const taken = (): readonly string[] => recorded.splice(0);
  let seen: readonly string[] = [];
  let time = 0;
  const begin = async (deskName: string) => {
    seen = [...new Set([...seen, deskName])];
    const runs = createRuns({
      store,
      audit,
      deskName,
      seenLately: () => Promise.resolve(seen),
      now: () => (time += 1),
    });
    await runs.begin('1.2.0');
    return runs;
  };
  // The run of an earlier version, which was the only desk on its store.
  await store.putNote('run', 'then');
  await begin('one');
  const MISSING = 'did not end cleanly: up to a minute of repeated reads may be missing.';
  expect(taken()).toEqual([
    'started: Started, version 1.2.0, as the desk "one".',
    `unclean stop: The previous run ${MISSING}`,
  ]);
  const two = await begin('two');
  await begin('three');
  expect(taken()).toHaveLength(2);
  await two.end();
  await begin('two');
  expect(taken()).toEqual(['started: Started, version 1.2.0, as the desk "two".']);
  await begin('one');
  expect(taken()).toEqual([`unclean stop: Started, version 1.2.0, as the desk "one"; the previous run ${MISSING}`]);
  seen = ['one', 'two'];
  for (const name of ['four', 'five']) {
    await begin(name);
    seen = [...seen, 'three'];
  }
  expect(taken()).toEqual([
    'started: Started, version 1.2.0, as the desk "four".',
    `unclean stop: A run of the desk "three" ${MISSING}`,
    'started: Started, version 1.2.0, as the desk "five".',
  ]);
});
