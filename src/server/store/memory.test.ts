import { describe, expect, it } from 'vitest';
import { openSqlite } from '#sql/sqlite.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { permitsSuite } from '#testing/server-store/permits-suite.ts';
import { newMemory } from '#testing/server-store/store-location.ts';
import { sqliteSentences, storeSuites } from '#testing/server-store/store-suites.ts';
import { explainOpening, sqliteSentences as sentences } from './sqlite-sentences.ts';
import { createStore, giveUpIfAway } from './store.ts';

describe('the store in memory', () => {
  storeSuites(newMemory, sqliteSentences);
  permitsSuite(newMemory);
});

it('a store that is closed reports no failure of what comes too late', async () => {
  const reported: string[] = [];
  const driver = openSqlite(':memory:', explainOpening(''));
  const store = createStore(
    { ...sentences, driver, kind: 'SQLite', place: '', isShared: false },
    { ...createFakeClock(), report: (event, reason) => void reported.push(`${event}: ${reason}`) },
  );
  const count = () => store.read(({ read }) => read({ name: 'one', sql: 'SELECT 1', values: [] }));
  expect(await count()).toEqual([[1]]);
  await store.close();
  await expect(count()).rejects.toThrow('Perpdesk is shutting down and reads nothing more.');
  expect([reported, store.state().lastFailure]).toEqual([[], null]);
});

it.each([true, false])('stopping gives up a database that hangs, and no other: %s', async (hangs) => {
  const clock = createFakeClock();
  const opened = openSqlite(':memory:', explainOpening(''));
  const ended = Promise.withResolvers<null>();
  const hanging = async (): Promise<never> => {
    await ended.promise;
    throw new StoreFailure('It closed the connection.');
  };
  const driver = {
    ...opened,
    ...(hangs && { read: hanging, write: hanging }),
    close: () => {
      ended.resolve(null);
      return opened.close();
    },
  };
  const reported: string[] = [];
  const store = createStore(
    { ...sentences, driver, kind: 'SQLite', place: '', isShared: true },
    { ...clock, report: (event, reason) => void reported.push(`${event}: ${reason}`) },
  );
  const written = store
    .mustWrite(({ write }) => write([{ name: 'one', sql: 'SELECT 1', values: [] }]))
    .then(() => 'written', String);
  giveUpIfAway(store, clock.schedule);
  await clock.advance(0);
  await clock.advance(3_000);
  expect(await written).toEqual(hangs ? expect.stringContaining('shutting down and stores nothing more') : 'written');
  expect(reported).toEqual(hangs ? [expect.stringContaining('does not respond, so Perpdesk stops without it')] : []);
});
