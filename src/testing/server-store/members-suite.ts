import { describe, expect, it } from 'vitest';
import { migrate, type Migration } from '#sql/migrate.ts';
import { findOlder, type Joining } from '#server/store/join-desks.ts';
import { type Members, openMembers } from '#server/store/members.ts';
import type { Store } from '#server/store/store.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { openShared } from './lease-suite.ts';
import type { NewLocation } from './store-location.ts';

interface DeskOptions extends Partial<Pick<Joining, 'name' | 'given' | 'schema'>> {
  readonly common?: Joining['common'];
  readonly offered?: string;
  readonly clock?: FakeClock;
  readonly logged?: unknown[];
}

let ids = 0;
/** Knows whatever step the store has taken. */
const LATEST = 1_000;

function join(
  store: Store,
  {
    name = 'one',
    given = [],
    schema = LATEST,
    common = {},
    offered = 'own',
    clock = createFakeClock(),
    logged = [],
  }: DeskOptions = {},
): Promise<Members> {
  const joining = {
    id: String((ids += 1)),
    name,
    version: '1.0.0',
    schema,
    common: { DESK_BUDGET: '200/300', DESK_ACCESS: 'users', ...common },
    given,
    offer: () => offered,
  };
  const note = (event: string): void => void logged.push(event);
  return openMembers(joining, {
    ...clock,
    store,
    log: (_level, event) => {
      note(event);
    },
    end: note,
  });
}

const namesOf = (members: Members): readonly string[] => members.alive().map(({ name }) => name);

export function membersSuite(newPlace: NewLocation): void {
  describe('the desks on a database', () => {
    it('are alone where the store is not shared, each with the secret of its folder', async () => {
      const store = { ...(await (await newPlace()).open()), isShared: false };
      const { secret, alive, own, earlierSecrets } = await join(store, { offered: 'of the folder' });
      expect([secret, alive(), earlierSecrets()]).toEqual(['of the folder', [own], []]);
      expect(await store.query('SELECT name FROM desk_member')).toEqual([]);
    });

    it('use the secret that the first of them offered', async () => {
      const store = await openShared(await newPlace());
      const one = await join(store, { offered: 'of one' });
      const two = await join(store, { name: 'two', offered: 'of two' });
      expect([one.secret, two.secret]).toEqual(['of one', 'of one']);
      await one.close();
      await two.close();
      expect((await join(store, { offered: 'of another' })).secret).toBe('of one');
    });

    it('join only with the same settings, unless no other is alive', async () => {
      const store = await openShared(await newPlace());
      const age = (by: number) =>
        store.driver.write([{ name: 'age', sql: 'UPDATE desk_member SET beat = beat - $1', values: [by] }]);
      const one = await join(store);
      const other = { name: 'two', common: { DESK_BUDGET: '100/300' } };
      await expect(join(store, other)).rejects.toThrow(
        'DESK_BUDGET cannot differ: it says "100/300" here, but "200/300" at the desks that share this database, of ' +
          'which "one" runs. Set it to the same at all of them, or stop the others first.',
      );
      expect(await store.query('SELECT name FROM desk_member')).toEqual([['one']]);
      await one.close();
      const two = await join(store, other);
      await expect(join(store)).rejects.toThrow('it says "200/300" here, but "100/300" at');
      // It dies, and does not beat any more.
      await age(14_000);
      await expect(join(store)).rejects.toThrow('cannot differ');
      await age(1_000);
      expect(namesOf(await join(store))).toEqual(['one']);
      expect(two.own.name).toBe('two');
    });

    it('of the same name is the former one, which may have died a moment ago', async () => {
      const store = await openShared(await newPlace());
      await join(store, { name: 'one' });
      const again = await join(store, { name: 'one', common: { DESK_ACCESS: 'oidc' } });
      expect(namesOf(again)).toEqual(['one']);
      expect(await store.query('SELECT id FROM desk_member')).toEqual([[again.own.id]]);
    });

    it('know of one another at the next beat, and no longer of those that have stopped', async () => {
      const store = await openShared(await newPlace());
      const [clock, logged]: [FakeClock, unknown[]] = [createFakeClock(), []];
      const one = await join(store, { name: 'one', clock, logged });
      let streams = 1;
      one.start(() => ({ leads: true, streams: streams++ }));
      const two = await join(store, { name: 'two' });
      expect(namesOf(two)).toEqual(['one', 'two']);
      const next = async (): Promise<void> => {
        await expect.poll(clock.timers).toBe(1);
        await clock.advance(2_000);
        await expect.poll(clock.timers).toBe(1);
      };
      await next();
      expect(namesOf(one)).toEqual(['one', 'two']);
      const three = await join(store, { name: 'three' });
      expect(three.alive()[0]?.activity).toEqual({ leads: true, streams: 2 });
      await Promise.all([two.close(), three.close()]);
      await store.driver.write([{ name: 'forget', sql: 'DELETE FROM desk_member', values: [] }]);
      await next();
      expect([namesOf(one), logged]).toEqual([['one'], []]);
      expect(await store.query('SELECT name FROM desk_member')).toEqual([['one']]);
      await join(store, { name: 'one' });
      await next();
      await next();
      expect([namesOf(one), logged]).toEqual([['one', 'one'], ['desk name not unique']]);
      await one.close();
    });

    it('change a secret of their settings one after the other', async () => {
      const store = await openShared(await newPlace());
      const settle = async (name: string, given: readonly string[]) => {
        const { secret, earlierSecrets } = await join(store, { name, given });
        return [secret, earlierSecrets()];
      };
      expect(await settle('one', ['a'])).toEqual(['a', []]);
      expect(await settle('two', ['a'])).toEqual(['a', []]);
      for (const given of [['b', 'a'], ['b'], []])
        await expect(settle('two', given)).rejects.toThrow('DESK_SECRET cannot differ');
      expect(await settle('two', ['a', 'b'])).toEqual(['a', ['b']]);
      expect(await settle('one', ['a', 'b'])).toEqual(['a', ['b']]);
      expect(await settle('two', ['b', 'a'])).toEqual(['b', ['a']]);
      await expect(settle('one', ['a'])).rejects.toThrow('DESK_SECRET cannot differ');
      expect(await settle('one', ['b', 'a'])).toEqual(['b', ['a']]);
      expect(await settle('two', ['b'])).toEqual(['b', []]);
      expect(JSON.stringify(await store.query('SELECT body FROM desk_set'))).not.toMatch(/"[ab]"/);
    });

    it('may be of different versions, of which one knows a setting that the others do not', async () => {
      const store = await openShared(await newPlace());
      const one = await join(store, { name: 'one' });
      const two = await join(store, { name: 'two', common: { DESK_LATER: 'a' } });
      const again = await join(store, { name: 'one' });
      await expect(join(store, { name: 'three', common: { DESK_LATER: 'b' } })).rejects.toThrow(
        'DESK_LATER cannot differ: it says "b" here, but "a" at',
      );
      for (const desk of [one, two, again]) await desk.close();
      await (await join(store, { name: 'three', common: { DESK_LATER: 'b' } })).close();
    });

    it('end with a sentence once the store is of a later version, and not while it is only added to', async () => {
      const store = await openShared(await newPlace());
      const [[known] = []] = await store.query('SELECT max(step) FROM schema_step');
      const [clock, logged]: [FakeClock, unknown[]] = [createFakeClock(), []];
      const schema = Number(known);
      const one = await join(store, { schema, clock, logged });
      one.start(() => ({ leads: false, streams: 0 }));
      await expect.poll(clock.timers).toBe(1);
      const later: Migration[] = Array.from({ length: schema }, () => ({ statementsOf: () => [] }));
      await migrate(store.driver, [...later, { statementsOf: () => [], usableFrom: schema }]);
      await clock.advance(2_000);
      await expect.poll(clock.timers).toBe(1);
      expect(logged).toEqual([]);
      await migrate(store.driver, [...later, ...later]);
      await clock.advance(2_000);
      await expect
        .poll(() => logged)
        .toEqual([
          'A later version of Perpdesk has changed the store so that this version can no longer use it. Update Perpdesk.',
        ]);
      await one.close();
    });

    it('of an earlier version stay alone with the store until they have stopped', async () => {
      const store = await openShared(await newPlace());
      const find = (usableFrom: number) => store.driver.readTogether(findOlder(usableFrom, store.dialect));
      const [one, two] = [await join(store, { name: 'one', schema: 5 }), await join(store, { name: 'two', schema: 6 })];
      expect([await find(5), await find(7)]).toEqual([null, expect.stringContaining('"one" (1.0.0), "two" (1.0.0)')]);
      await one.close();
      expect(await find(6)).toBeNull();
      await two.close();
    });

    it('accept the stored secret for a day after one of their settings has replaced it', async () => {
      const store = await openShared(await newPlace());
      await (await join(store, { offered: 'stored' })).close();
      const clock = createFakeClock();
      const one = await join(store, { given: ['given'], clock });
      await clock.advance(86_399_000);
      expect([one.secret, one.earlierSecrets()]).toEqual(['given', ['stored']]);
      await clock.advance(1_000);
      expect(one.earlierSecrets()).toEqual([]);
      await one.close();
      expect((await join(store, { offered: 'another' })).secret).toBe('stored');
    });
  });
}
