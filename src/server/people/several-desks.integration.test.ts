import { expect, it, onTestFinished } from 'vitest';
import { checkAudit } from './audit-commands.ts';
import { createAuditStore } from './audit/audit-store.ts';
import { openAccessRegistry } from './accounts/access-registry.ts';
import { createLockOut, WINDOW_MS } from './accounts/lock-out.ts';
import { createSharedFailures } from './accounts/shared-failures.ts';
import { createPeople } from './accounts/people.ts';
import type { TokenRecord } from './accounts/records.ts';
import { createSavedStore } from './saved/saved-store.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { openStore } from '#server/store/open-store.ts';
import type { Store } from '#server/store/store.ts';

/** What the rooms of people write at two desks at once, each with a store of its own on one PostgreSQL database. */

async function openTwo(): Promise<readonly [Store, Store]> {
  const databaseUrl = await createDatabase();
  const open = async (): Promise<Store> => {
    const store = await openStore(
      { dataDir: '', databaseUrl },
      { now: Date.now, elapsed: () => performance.now(), report: () => undefined },
    );
    onTestFinished(store.close);
    return store;
  };
  return [await open(), await open()];
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

it('the audit log is one chain, from its first entry on', { timeout: 60_000 }, async () => {
  const stores = (await openTwo()).map((store) => createAuditStore(store));
  const event = { kind: 'exported', who: '', name: '', address: '', detail: '' } as const;
  await Promise.all(
    stores.map(async (store, desk) => {
      for (const at of numbers(40)) await store.append([{ at, event: { ...event, name: `desk ${String(desk)}` } }]);
    }),
  );
  const [first] = stores;
  expect(first && (await checkAudit(first))).toEqual({ checked: 80, problem: null, uncleanStops: [] });
});

it('no change of people is lost, and each desk has all of them', { timeout: 60_000 }, async () => {
  const books = await Promise.all((await openTwo()).map((store) => openAccessRegistry(store)));
  await Promise.all(
    books.map(async (book, desk) => {
      const people = createPeople(book, Date.now);
      for (const at of numbers(20))
        await people.put({
          id: '',
          name: `${String(desk)} ${String(at)}`,
          roles: ['markets'],
          scope: { all: false, accounts: [], firms: [], connections: [] },
          disabled: false,
        });
    }),
  );
  for (const book of books) {
    await book.follow();
    expect(book.state().people.size).toBe(40);
  }
});

it(
  'the last use of a session is noted without undoing what another desk did with it',
  { timeout: 60_000 },
  async () => {
    const [one, two] = await Promise.all((await openTwo()).map((store) => openAccessRegistry(store)));
    if (one === undefined || two === undefined) throw new Error('There are two.');
    const token: TokenRecord = {
      id: 't',
      hash: 'h',
      person: 'p',
      name: 'before',
      roles: [],
      scope: { all: false, accounts: [], firms: [], connections: [] },
      createdAt: 0,
      lastUsedAt: null,
      expiresAt: 9,
    } as const;
    await one.change(() => [{ put: { tokens: [token] } }, undefined]);
    await two.follow();
    await one.change(() => [{ put: { tokens: [{ ...token, name: 'after' }] } }, undefined]);
    await two.note('tokens', 't', 5);
    await two.reload();
    expect(two.state().tokens.get('t')).toMatchObject({ name: 'after', lastUsedAt: null });
    await two.note('tokens', 't', 6);
    await one.follow();
    expect(one.state().tokens.get('t')).toMatchObject({ lastUsedAt: null });
    await one.reload();
    expect(one.state().tokens.get('t')).toMatchObject({ name: 'after', lastUsedAt: 6 });
  },
);

it('of two who save from one version at the same moment, one is refused', { timeout: 60_000 }, async () => {
  const stores = (await openTwo()).map((store) => createSavedStore(store));
  for (const version of numbers(20)) {
    const results = await Promise.allSettled(
      stores.map((store) =>
        store.putItem('ann', ([item]) => {
          if ((item?.version ?? 0) !== version) throw new Error('changed meanwhile');
          return { name: 'views', text: '{}', version: version + 1, saved_at: toInstant(0) };
        }),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  }
});

it('a person is guessed at five times in all, however many guess at once', { timeout: 60_000 }, async () => {
  const desks = (await openTwo()).map((store) => {
    const shared = createSharedFailures({ store, key: 'key', windowMs: WINDOW_MS, elapsed: () => performance.now() });
    return createLockOut(Date.now, shared);
  });
  const guesses = numbers(6).flatMap(() =>
    desks.map(({ begin }) => begin({ name: 'ann', address: '192.0.2.1', device: null })),
  );
  const results = await Promise.allSettled(guesses);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});
