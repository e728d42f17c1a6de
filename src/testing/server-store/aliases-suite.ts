import { describe, expect, it } from 'vitest';
import { openAliasRegistry, type AliasRegistryDeps } from '#server/readings/alias-registry.ts';
import type { NewLocation } from './store-location.ts';

const KEY = '5a'.repeat(32);

const order = (account: unknown, firm = 'NORD', connection = '3f') => ({
  account_id: account,
  clearing_firm_code: firm,
  connection_id: connection,
});

export function aliasesSuite(newPlace: NewLocation): void {
  const openStore = async () => (await newPlace()).open();
  const openBook = async (deps: Partial<AliasRegistryDeps> = {}) =>
    openAliasRegistry({
      store: deps.store ?? (await openStore()),
      key: KEY,
      scope: 'venue key',
      elapsed: () => 0,
      ...deps,
    });

  describe('aliases', () => {
    it('are given to each code of an order, and nobody finds the code by one', async () => {
      const book = await openBook();
      book.add([order('HALC-101'), order('HALC-101'), order('NORD')]);
      const aliases = book.list('all');
      expect(aliases.map(({ kind, code }) => [kind, code])).toEqual([
        ['account', 'HALC-101'],
        ['account', 'NORD'],
        ['firm', 'NORD'],
        ['connection', '3f'],
      ]);
      for (const { kind, alias } of aliases) expect(alias).toMatch(new RegExp(`^${kind.slice(0, 1)}-[\\w-]{16}$`));
      expect(new Set(aliases.map(({ alias }) => alias.slice(2))).size).toBe(4);
    });

    it('are the same after a restart, and others with another key', async () => {
      const place = await newPlace();
      const before = await place.open();
      const first = await openBook({ store: before });
      first.add([order('HALC-101')]);
      // A code that occurs again does not add a second row.
      first.add([order('HALC-101')]);
      await before.close();
      const store = await place.open();
      expect((await openBook({ store })).list('all')).toEqual(first.list('all'));
      const other = (await openBook({ store, key: '5b'.repeat(32) })).list('all');
      expect(other.map(({ code }) => code)).toEqual(first.list('all').map(({ code }) => code));
      expect(other.some(({ alias }) => first.list('all').some((one) => one.alias === alias))).toBe(false);
    });

    it('are listed of what a limited scope contains, and of what its orders name', async () => {
      const book = await openBook();
      book.add([order('HALC-101'), order('NORD')]);
      const none = { accounts: new Set<string>(), firms: new Set<string>(), connections: new Set<string>() };
      const codesOf = (scope: Partial<typeof none>) =>
        book.list({ ...none, ...scope }).map(({ kind, code }) => `${kind} ${code}`);
      expect(codesOf({ accounts: new Set(['HALC-101']) })).toEqual(['account HALC-101', 'firm NORD', 'connection 3f']);
      expect(codesOf({ connections: new Set(['3f']) })).toEqual([
        'account HALC-101',
        'account NORD',
        'firm NORD',
        'connection 3f',
      ]);
      // The same as for an account without orders, which may or may not exist.
      expect(codesOf({ accounts: new Set(['OTHER']) })).toEqual(['account OTHER']);
      expect(codesOf({})).toEqual([]);
      expect(book.list({ ...none, accounts: new Set(['NORD']) })).toEqual(
        book.list('all').filter(({ code }) => code !== 'HALC-101'),
      );
    });

    it('are known at each desk a second after another one has read the order, to limited scopes too', async () => {
      const store = { ...(await openStore()), isShared: true };
      let now = 0;
      const [one, other] = await Promise.all([1, 2].map(() => openBook({ store, elapsed: () => now })));
      one?.add([order('HALC-101'), order('NORD')]);
      await store.mustWrite(() => Promise.resolve());
      const limited = { accounts: new Set(['NORD']), firms: new Set<string>(), connections: new Set<string>() };
      now = 1_000;
      await other?.refresh();
      for (const scope of ['all', limited] as const) expect(other?.list(scope)).toEqual(one?.list(scope));
      expect(other?.list(limited).map(({ code }) => code)).toEqual(['NORD', 'NORD', '3f']);
    });

    it('are not listed for another key of the exchange', async () => {
      const store = await openStore();
      (await openBook({ store })).add([order('HALC-101')]);
      expect((await openBook({ store, scope: 'venue other' })).list('all')).toEqual([]);
    });

    it('are given to no code that is empty, endless, not a text, or that no database takes, and to no more than their bound', async () => {
      const store = await openStore();
      const book = await openBook({ store });
      book.add([order(''), order(17), order(null), order('x'.repeat(201)), order('a\0b'), {}]);
      expect(book.list('all').map(({ kind }) => kind)).toEqual(['firm', 'connection']);
      book.add(Array.from({ length: 10_005 }, (_, n) => order(`A${String(n)}`)));
      expect(book.list('all')).toHaveLength(10_000);
      await store.close();
      expect(store.state().failedWrites).toBe(0);
    });

    it('are still of use on a full disk', async () => {
      const store = await openStore();
      const book = await openBook({ store });
      await store.stopWrites();
      book.add([order('HALC-101')]);
      expect(book.list('all')).toHaveLength(3);
      await expect.poll(() => store.state().failedWrites).toBe(1);
    });
  });
}
