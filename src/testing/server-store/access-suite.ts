import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { CATCH_UP_MS } from '#server/people/accounts/access-registry.ts';
import { checkAudit } from '#server/people/audit-commands.ts';
import { createAuditStore } from '#server/people/audit/audit-store.ts';
import { ALONE } from '#server/people/audit/starts.ts';
import { openAccessRoom, type AccessRoom } from '#server/people/open-access-room.ts';
import type { AccessMode } from '#contract/desk/roles.ts';
import { AUDIT_DEFAULTS } from '#server/core/audit-settings.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { createFakeClock, type FakeClock, waitWith } from '../fake-clock.ts';
import { openShared } from './lease-suite.ts';
import type { NewLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';

const HOUR_MS = 3_600_000;

const clocks = new WeakMap<AccessRoom, FakeClock>();

async function openRoom(store: TestStore, clock: FakeClock, mode: AccessMode = 'users'): Promise<AccessRoom> {
  const room = await openAccessRoom(
    {
      mode,
      sessionHours: 24,
      idleHours: 2,
      key: 'key',
      provider: null,
      originOf: () => 'http://localhost',
      homeOf: () => 'http://localhost',
      addressOf: () => '192.0.2.1',
      given: {},
      auditing: AUDIT_DEFAULTS,
    },
    {
      store,
      now: clock.now,
      elapsed: clock.elapsed,
      schedule: clock.schedule,
      log: () => undefined,
      holdsLease: () => true,
      ...ALONE,
    },
  );
  clocks.set(room, clock);
  return room;
}

function requestOf(headers: Readonly<Record<string, string>>): IncomingMessage {
  return { method: 'GET', headers } as unknown as IncomingMessage;
}

async function viewerOf(room: AccessRoom, cookie: string): Promise<Viewer> {
  const identified = room.identify(requestOf({ cookie: cookie.split(';', 1)[0] ?? '' }));
  // A browser that is not signed in here may be at another desk.
  const viewer = await waitWith(clocks.get(room) ?? createFakeClock(), CATCH_UP_MS, identified);
  if ('type' in viewer) throw new Error(viewer.detail);
  return viewer;
}

/** Expects a viewer to end by a read that is due within a second, for which a real database takes time. */
async function expectEnd(clock: FakeClock, { ended }: Viewer): Promise<void> {
  await clock.advance(1_000);
  await expect.poll(() => ended.aborted, { interval: 1 }).toBe(true);
}

const ANN = {
  id: '',
  name: 'Ann',
  roles: ['orders'],
  scope: { all: false, accounts: ['A'], firms: [], connections: [] },
  disabled: false,
};

const SESSIONS = 'SELECT body FROM access_session';

export function accessSuite(newPlace: NewLocation): void {
  describe('who may use a desk', () => {
    it('is known to all desks on one store within a second: who may see less stops seeing it', async () => {
      const clock = createFakeClock();
      const store = await openShared(await newPlace());
      const first = await openRoom(store, clock);
      const { person: ann } = await first.people.put(ANN);
      const cookie = await first.sessions.open({
        personId: ann.id,
        name: ann.name,
        granted: null,
        way: 'password',
        request: requestOf({}),
      });
      const second = await openRoom(store, clock);
      first.start('1.0.0');
      second.start('1.0.0');
      const changes: readonly (() => Promise<unknown>)[] = [
        () => second.people.put({ ...ANN, id: ann.id, scope: { ...ANN.scope, accounts: ['B'] } }),
        () => second.people.put({ ...ANN, id: ann.id, roles: ['markets'] }),
        () => second.people.put({ ...ANN, id: ann.id, disabled: true }),
      ];
      for (const change of changes) {
        const seeing = await viewerOf(first, cookie);
        const before = seeing.entitlement;
        await change();
        await expectEnd(clock, seeing);
        expect(seeing.id).toBe(ann.id);
        expect((await viewerOf(first, cookie)).entitlement).not.toBe(before);
      }
      expect((await viewerOf(first, cookie)).id).toBe('');
      await second.people.put({ ...ANN, id: ann.id });
      const next = await second.sessions.open({
        personId: ann.id,
        name: ann.name,
        granted: null,
        way: 'password',
        request: requestOf({}),
      });
      await clock.advance(1_000);
      await expect.poll(async () => (await viewerOf(first, next)).id, { interval: 1 }).toBe(ann.id);
      // The sign-in session from before they were disabled has ended for good.
      expect((await viewerOf(first, cookie)).id).toBe('');
      const seeing = await viewerOf(first, next);
      await second.sessions.end(() => true);
      await expectEnd(clock, seeing);
      expect((await viewerOf(first, next)).id).toBe('');
      await Promise.all([first.close(), second.close()]);
    });

    it('keeps a session at all desks while it is used at one of them, and loses it at all when it is used at none', async () => {
      const clock = createFakeClock();
      const store = await openShared(await newPlace());
      const [first, second] = [await openRoom(store, clock), await openRoom(store, clock)];
      const { person: ann } = await first.people.put(ANN);
      const of = { personId: ann.id, name: ann.name, granted: null, way: 'password' } as const;
      const cookie = await first.sessions.open({ ...of, request: requestOf({}) });
      first.start('1.0.0');
      second.start('1.0.0');
      const idsAtBoth = async () => [(await viewerOf(first, cookie)).id, (await viewerOf(second, cookie)).id];
      const lastUse = async () => /"lastUsedAt":(\d+)/.exec(String((await store.query(SESSIONS))[0]?.[0]))?.[1];
      for (let minutes = 0; minutes < 180; minutes += 30) {
        expect((await viewerOf(first, cookie)).id).toBe(ann.id);
        await expect.poll(lastUse, { interval: 1 }).toBe(String(clock.now()));
        await clock.advance(HOUR_MS / 2);
        // Waits in turn until it has read when the session was last used.
        await second.sessions.end(() => false);
      }
      expect(await idsAtBoth()).toEqual([ann.id, ann.id]);
      await clock.advance(2 * HOUR_MS);
      expect(await idsAtBoth()).toEqual(['', '']);
      await Promise.all([first.close(), second.close()]);
    });

    it('is known at another desk with the first request there after they have signed in', async () => {
      const clock = createFakeClock();
      const store = await openShared(await newPlace());
      const [first, second] = [await openRoom(store, clock), await openRoom(store, clock)];
      const { person: ann } = await first.people.put(ANN);
      const cookie = await first.sessions.open({
        personId: ann.id,
        name: ann.name,
        granted: null,
        way: 'password',
        request: requestOf({}),
      });
      // Neither has begun to follow the other.
      expect((await viewerOf(second, cookie)).id).toBe(ann.id);
      expect((await viewerOf(second, cookie.replace(/=[^;]+/, '=unknown'))).id).toBe('');
      await Promise.all([first.close(), second.close()]);
    });

    it('is nobody who was disabled or deleted while their password was checked', async () => {
      const room = await openRoom(await (await newPlace()).open(), createFakeClock());
      const { person: ann } = await room.people.put(ANN);
      const open = () =>
        room.sessions.open({
          personId: ann.id,
          name: ann.name,
          granted: null,
          way: 'password',
          request: requestOf({}),
        });
      await room.people.put({ ...ANN, id: ann.id, disabled: true });
      await expect(open()).rejects.toMatchObject({ problem: { type: 'not-signed-in' } });
      await room.people.remove(ann.id);
      await expect(open()).rejects.toMatchObject({ problem: { type: 'not-signed-in' } });
    });

    it('is nobody any more after the time without a request, and after the time in all', async () => {
      const clock = createFakeClock();
      const database = await (await newPlace()).open();
      const room = await openRoom(database, clock);
      const { person: ann } = await room.people.put(ANN);
      const open = () =>
        room.sessions.open({
          personId: ann.id,
          name: ann.name,
          granted: null,
          way: 'password',
          request: requestOf({}),
        });
      const unused = await open();
      const used = await open();
      const seeing = await viewerOf(room, unused);
      // A real database takes time, in which this clock must not go on.
      const use = async (): Promise<void> => {
        expect((await viewerOf(room, used)).id).toBe(ann.id);
        await expect
          .poll(async () =>
            (await database.query(SESSIONS)).map(
              ([body]) => (JSON.parse(String(body)) as { lastUsedAt: number }).lastUsedAt,
            ),
          )
          .toContain(clock.now());
      };
      room.start('1.0.0');
      await clock.advance(HOUR_MS);
      await use();
      expect(seeing.ended.aborted).toBe(false);
      await clock.advance(HOUR_MS);
      expect([seeing.ended.aborted, (await viewerOf(room, unused)).id]).toEqual([true, '']);
      for (let hour = 2; hour < 24; hour += 1) {
        await use();
        await clock.advance(HOUR_MS);
      }
      expect((await viewerOf(room, used)).id).toBe('');
      await clock.advance(HOUR_MS);
      await expect.poll(async () => (await database.query('SELECT id FROM access_session')).length).toBe(0);
      await room.close();
    });

    it('is what the store says after a restart', async () => {
      const clock = createFakeClock();
      const place = await newPlace();
      const store = await place.open();
      const before = await openRoom(store, clock);
      const { person: ann } = await before.people.put(ANN);
      const cookie = await before.sessions.open({
        personId: ann.id,
        name: ann.name,
        granted: null,
        way: 'password',
        request: requestOf({}),
      });
      await before.close();
      await store.close();
      const reopened = await place.open();
      const after = await openRoom(reopened, clock);
      expect(await viewerOf(after, cookie)).toMatchObject({ id: ann.id, name: 'Ann' });
      // A person who now signs in at a provider must not remain signed in here.
      expect((await viewerOf(await openRoom(reopened, clock, 'oidc'), cookie)).id).toBe('');
    });

    it('is administered by somebody: the last administrator can be neither deleted nor made less', async () => {
      const room = await openRoom(await (await newPlace()).open(), createFakeClock());
      const { person: admin } = await room.people.put({ ...ANN, name: 'Admin', roles: ['admin'] });
      await expect(room.people.remove(admin.id)).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
      await expect(room.people.put({ ...admin, disabled: true })).rejects.toMatchObject({
        problem: { type: 'not-allowed' },
      });
      await room.people.put({ ...ANN, name: 'Another', roles: ['admin'] });
      await room.people.remove(admin.id);
      expect(room.people.all().map(({ name }) => name)).toEqual(['Another']);
    });
  });

  describe('the log of what was done', () => {
    const EVENT = { kind: 'exported', who: 'ann', name: 'Ann', address: '', detail: 'Saved.' } as const;

    it('notices each change of the store behind its back', async () => {
      const database = await (await newPlace()).open();
      const store = createAuditStore(database);
      await store.append(Array.from({ length: 5 }, (_, at) => ({ at, event: EVENT })));
      await store.append([{ at: 6, event: { ...EVENT, who: 'bob' } }]);
      expect(await checkAudit(store)).toEqual({ checked: 6, problem: null, uncleanStops: [] });
      expect(
        (await store.page({ who: 'bob', kind: null, before: null, limit: 10 })).entries.map(({ number }) => number),
      ).toEqual([6]);
      expect(
        (await store.page({ who: 'ann', kind: 'exported', before: 4, limit: 2 })).entries.map(({ number }) => number),
      ).toEqual([3, 2]);
      expect((await store.page({ who: null, kind: 'sign-in', before: null, limit: 10 })).entries).toEqual([]);
      const { entries, next } = await store.page({ who: null, kind: null, before: null, limit: 4 });
      expect([entries.map(({ number }) => number), next]).toEqual([[6, 5, 4, 3], 3]);
      const run = (sql: string) => database.driver.write([{ name: sql.slice(0, 60), sql, values: [] }]);
      const tampering = [
        [
          "UPDATE audit_entry SET body = replace(body, 'Saved', 'Looked') WHERE number = 3",
          "UPDATE audit_entry SET body = replace(body, 'Looked', 'Saved') WHERE number = 3",
          /^Entry 3 is not as it was written/,
        ],
        [
          "UPDATE audit_entry SET who = 'eve' WHERE number = 2",
          "UPDATE audit_entry SET who = 'ann' WHERE number = 2",
          /^Entry 2 is not as it was written/,
        ],
        [
          "UPDATE audit_entry SET kind = 'sign-in' WHERE number = 2",
          "UPDATE audit_entry SET kind = 'exported' WHERE number = 2",
          /^Entry 2 is not as it was written/,
        ],
        [
          'UPDATE audit_entry SET number = 60 WHERE number = 6',
          'UPDATE audit_entry SET number = 6 WHERE number = 60',
          /^The newest entries are missing/,
        ],
        [
          'UPDATE audit_entry SET number = 70 WHERE number = 4',
          'UPDATE audit_entry SET number = 4 WHERE number = 70',
          /^Entry 4 is missing or not in its place: entry 5 follows/,
        ],
      ] as const;
      for (const [change, undo, problem] of tampering) {
        await run(change);
        expect((await checkAudit(store)).problem).toMatch(problem);
        await run(undo);
        expect((await checkAudit(store)).problem).toBeNull();
      }
      await run("INSERT INTO audit_entry (number, who, kind, body, hash) VALUES (7, '', '', '{}', '')");
      expect((await checkAudit(store)).problem).toBe('Entry 7 was not written by Perpdesk.');
    });

    it('keeps the chain whole when the oldest entries go because of its size, and says how large it is', async () => {
      const store = createAuditStore(await (await newPlace()).open(), { ...AUDIT_DEFAULTS, bytes: 50_000 });
      for (let batch = 0; batch < 6; batch += 1)
        await store.append(Array.from({ length: 300 }, (_, at) => ({ at, event: EVENT })));
      const { anchor, head } = await store.ends();
      const { bytes, maxBytes, oldestAt } = await store.usage();
      expect([anchor.number > 1_000, head.number]).toEqual([true, 1_800]);
      // The newest entries are stored before older ones go.
      expect([bytes > 40_000, bytes < 50_000 + 300 * 500, maxBytes]).toEqual([true, true, 50_000]);
      expect(oldestAt).toBe(anchor.number % 300);
      expect(await checkAudit(store)).toEqual({
        checked: head.number - anchor.number,
        problem: null,
        uncleanStops: [],
      });
    });

    it('drops entries by age, also of a store from before sizes were counted', async () => {
      const database = await (await newPlace()).open();
      const open = () => createAuditStore(database, { ...AUDIT_DEFAULTS, days: 10 });
      const day = (at: number) => ({ at: at * 86_400_000, event: EVENT });
      await open().append([day(0), day(1), day(5)]);
      const before = await open().usage();
      await database.driver.write([{ name: 'forget', sql: "DELETE FROM audit_note WHERE name = 'size'", values: [] }]);
      const store = open();
      expect(await store.usage()).toEqual({ ...before, oldestAt: 0 });
      await store.append([day(10.5)]);
      expect((await store.usage()).oldestAt).toBe(86_400_000);
      await store.append([day(14)]);
      expect((await store.after(0, 10)).map(({ number }) => number)).toEqual([3, 4, 5]);
      expect(await checkAudit(store)).toMatchObject({ checked: 3, problem: null });
      expect((await store.usage()).bytes).toBe(before.bytes);
    });

    it('stores what happened while the store could not be written, once it can', async () => {
      const clock = createFakeClock();
      const database = await (await newPlace()).open();
      const room = await openRoom(database, clock);
      await database.stopWrites();
      await room.audit.record(EVENT);
      await database.allowWrites();
      await clock.advance(10_000);
      await expect.poll(() => checkAudit(room.commands.audit)).toEqual({ checked: 1, problem: null, uncleanStops: [] });
      await room.close();
    });
  });
}
