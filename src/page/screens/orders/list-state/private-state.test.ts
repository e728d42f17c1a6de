import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OwnerAlias } from '#contract/desk/aliases.ts';
import { toAliasTable } from '#model/tables/orders/alias-text.ts';
import {
  fromOwnTexts,
  isHeld,
  NO_PRIVATE_STATE,
  type PrivateState,
  readOwnTexts,
  toOwnTexts,
  writeOwnTexts,
} from './private-state.ts';
import { resolveLink } from './resolve-link.ts';

const ENTRIES: readonly OwnerAlias[] = [
  { kind: 'account', code: 'HALC-101', alias: 'a-0001' },
  { kind: 'account', code: 'HALC', alias: 'a-0002' },
  { kind: 'account', code: 'A~1*%', alias: 'a-0003' },
  { kind: 'firm', code: 'NORD', alias: 'f-0004' },
  { kind: 'connection', code: 'İ3f9', alias: 'c-0005' },
];
const table = toAliasTable(ENTRIES);
const codes = new Set(ENTRIES.map(({ code }) => code));
const toOwn = (state: Partial<PrivateState>, known = table) =>
  toOwnTexts({ ...NO_PRIVATE_STATE, ...state }, known, codes);
const isAccount = (...texts: readonly string[]) => ({ account: { kind: 'is', texts } }) as const;

/** Generates part of a code, from one position to another. */
const partOf = (kind: string) =>
  fc
    .tuple(
      fc.constantFrom(...ENTRIES.filter((entry) => entry.kind === kind)),
      fc.nat(6),
      fc.integer({ min: 1, max: 8 }),
    )
    .map(([{ code }, from, length]) => code.slice(from, from + length) || code);
const word = fc.oneof(
  fc.constantFrom('bid', '*', '%2A', 'btc-perp', 'xHALC-101y', 'NORDNORD', 'halc-1'),
  partOf('account'),
  partOf('firm'),
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const filterOf = (kind: 'account' | 'firm') =>
  fc.oneof(
    fc.record({
      kind: fc.constant('is' as const),
      texts: fc.uniqueArray(
        fc.constantFrom(...ENTRIES.filter((entry) => entry.kind === kind).map(({ code }) => code), ''),
        { minLength: 1 },
      ),
    }),
    fc.record({ kind: fc.constantFrom('has' as const, 'starts' as const), text: partOf(kind) }),
  );
const privateState: fc.Arbitrary<PrivateState> = fc.record({
  filters: fc.record(
    { account: filterOf('account'), firm: filterOf('firm') },
    { requiredKeys: [], noNullPrototype: true },
  ),
  quick: fc.oneof(fc.constant(''), text),
  view: fc.oneof(fc.constant(''), text),
});

describe('filters by owner in an address', () => {
  it('contain no code, and read back as they were but for upper and lower case', () => {
    fc.assert(
      fc.property(privateState, (state) => {
        const own = toOwn(state);
        expect(own.some(isHeld)).toBe(false);
        for (const { code } of ENTRIES) expect(own.join('\n').toLowerCase()).not.toContain(code.toLowerCase());
        const query = new URLSearchParams();
        writeOwnTexts(query, own);
        const read = fromOwnTexts(readOwnTexts(new URLSearchParams(query.toString())), table);
        expect(read.unknown).toEqual([]);
        expect(JSON.stringify(read.state).toLowerCase()).toEqual(JSON.stringify(state).toLowerCase());
      }),
    );
  });

  it('with a whole code are short, and distinguish codes of two kinds', () => {
    expect(
      toOwn({
        filters: { ...isAccount('HALC-101', ''), firm: { kind: 'is', texts: ['NORD'] } },
        quick: 'halc-101 bid',
      }),
    ).toEqual(['account:is:*a-0001*~', 'firm:is:*f-0004*', 'quick:has:*a-0001* bid']);
    expect(toOwn({ filters: isAccount('NORD') })).toEqual(['account:held:']);
  });

  it('whose code has no alias are held back, and so is all before the aliases are read', () => {
    expect(toOwn({ filters: { account: { kind: 'has', text: 'SORA' } }, quick: 'SORA-7' })).toEqual([
      'account:held:',
      'quick:held:',
    ]);
    expect(toOwn({ quick: 'bid:held: 7' })).toEqual(['quick:has:bid:held: 7']);
    expect(toOwnTexts({ ...NO_PRIVATE_STATE, quick: 'SORA-7' }, table, new Set(['SORA-7']))).toEqual(['quick:held:']);
    expect(toOwnTexts({ ...NO_PRIVATE_STATE, filters: isAccount('HALC'), view: 'HALC' }, null, codes)).toEqual([
      'account:held:',
      'view:held:',
    ]);
  });

  it.each([
    ['account:is:*a-9999*', 'account'],
    ['account:is:*a-0001*~*a-9999*', 'account'],
    ['firm:has:*f-9999.0.2*', 'firm'],
    ['quick:has:bid *a-9999*', 'quick'],
    ['account:held:', 'account'],
    ['account:between:1~2', 'account'],
    ['account:is:**', 'account'],
    ['side:is:Bid', 'side'],
    ['nonsense', 'nonsense'],
  ])('that cannot be resolved are reported: %s', (own, part) => {
    expect(fromOwnTexts([own, 'firm:is:*f-0004*'], table)).toMatchObject({
      unknown: [part],
      state: { filters: { firm: { texts: ['NORD'] } } },
    });
  });

  it('need no name of a view', () => {
    expect(fromOwnTexts(['view:has:*a-9999*', 'view:held:'], table)).toEqual({ state: NO_PRIVATE_STATE, unknown: [] });
  });
});

describe('a link', () => {
  const shared = {
    sorts: [],
    grouping: [],
    filters: { side: { kind: 'is', texts: ['Bid'] } },
    quick: '',
    view: '',
    columns: null,
  } as const;
  const none = { ...NO_PRIVATE_STATE, own: [] };
  const own = ['account:is:*a-0001*'];
  const link = { shared, own, kept: none, table, optedIn: false };

  it('is resolved once the aliases are read, and means no list before', () => {
    expect(resolveLink({ ...link, table: null })).toMatchObject({ link: { is: 'resolving' } });
    expect(resolveLink(link)).toMatchObject({
      link: { is: 'resolved' },
      list: { filters: { ...isAccount('HALC-101'), side: { texts: ['Bid'] } } },
    });
    expect(resolveLink({ ...link, own: ['account:is:*a-9999*'] }).link).toEqual({ is: 'unknown', parts: ['account'] });
  });

  it('that this tab has written is what was entered, before any alias is read', () => {
    const kept = {
      filters: { account: { kind: 'has', text: 'halc' } },
      quick: '',
      view: '',
      own: ['account:has:*a-0002*'],
    } as const;
    expect(resolveLink({ ...link, own: [...kept.own], kept, table: null })).toMatchObject({
      link: { is: 'resolved' },
      list: { filters: { account: { text: 'halc' } } },
    });
  });

  it('does not get filters of this tab that it does not have', () => {
    const kept = { ...none, filters: isAccount('HALC'), own: ['account:is:*a-0002*'] };
    expect(resolveLink({ ...link, own: [], kept }).list).toEqual(shared);
  });

  it('without aliases gets those of a tab of an earlier version, unless it contains codes as they are', () => {
    const kept = { ...none, filters: isAccount('HALC') };
    expect(resolveLink({ ...link, own: [], kept }).list.filters).toMatchObject({ account: { texts: ['HALC'] } });
    expect(resolveLink({ ...link, own: [], kept, optedIn: true }).list).toEqual(shared);
  });
});
