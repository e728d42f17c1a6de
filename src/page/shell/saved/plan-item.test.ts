import { describe, expect, it } from 'vitest';
import { planItem } from './plan-item.ts';

const text = (value: string): string => JSON.stringify({ version: 1, value });
const viewsOf = (views: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    format: 'perpdesk order views',
    version: 1,
    views: Object.entries(views).map(([name, query]) => ({ name, query })),
  });
const readViews = (stored: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (
      JSON.parse(stored ?? '') as { readonly views: readonly { readonly name: string; readonly query: string }[] }
    ).views.map(({ name, query }) => [name, query]),
  );
const listsOf = (...lists: readonly (readonly [id: string, ...products: readonly number[]])[]): string =>
  JSON.stringify({ version: 1, lists: lists.map(([id, ...products]) => ({ id, name: id, products })) });

const layout = (local: string, base: readonly [number, string] | null, remote: readonly [number, string] | null) =>
  planItem({
    name: 'markets.layout',
    local,
    base: base === null ? undefined : { version: base[0], text: base[1] },
    remote: remote === null ? undefined : { version: remote[0], text: remote[1] },
  });

describe('something saved', () => {
  it.each([
    ['here only, at first', text('a'), null, null, text('a')],
    ['there only, at first', '', null, [3, text('b')], text('b')],
    ['here and there, at first', text('a'), null, [3, text('b')], text('b')],
    ['here since', text('a'), [3, text('b')], [3, text('b')], text('a')],
    ['there since', text('b'), [3, text('b')], [4, text('c')], text('c')],
    ['here and there since', text('a'), [3, text('b')], [4, text('c')], text('a')],
    ['and cleared here since', '', [3, text('b')], [3, text('b')], ''],
    ['and cleared there since', text('b'), [3, text('b')], [4, ''], ''],
    ['here, and cleared there since', text('a'), [3, text('b')], [4, ''], text('a')],
    ['here, at a desk that has forgotten it', text('b'), [3, text('b')], null, text('b')],
    ['here, at a desk that was restored from a backup', text('c'), [9, text('c')], [3, text('b')], text('b')],
  ] as const)('%s', (_, local, base, remote, expected) => {
    expect(layout(local, base, remote)).toBe(expected);
  });

  it('by a later version of Perpdesk is left alone', () => {
    expect(layout(text('a'), [3, text('b')], [4, '{"version":2}'])).toBeNull();
  });
});

describe('saved views of two browsers', () => {
  const plan = (base: string | null, local: string, remote: string) =>
    readViews(
      planItem({
        name: 'orders.views',
        local,
        base: base === null ? undefined : { version: 1, text: base },
        remote: { version: 2, text: remote },
      }),
    );

  it('are all there at first, each of two of one name', () => {
    expect(plan(null, viewsOf({ 'B': '1', 'Both': 'x', 'Both (2)': 'y' }), viewsOf({ A: '2', Both: 'z' }))).toEqual({
      'A': '2',
      'B': '1',
      'Both': 'z',
      'Both (2)': 'y',
      'Both (3)': 'x',
    });
  });

  it('keep what either has added, changed and deleted', () => {
    const base = viewsOf({ kept: '1', changedHere: '1', changedThere: '1', deletedHere: '1', deletedThere: '1' });
    const local = viewsOf({ kept: '1', changedHere: '2', changedThere: '1', deletedThere: '1', addedHere: '1' });
    const remote = viewsOf({ kept: '1', changedHere: '1', changedThere: '2', deletedHere: '1', addedThere: '1' });
    expect(plan(base, local, remote)).toEqual({
      kept: '1',
      changedHere: '2',
      changedThere: '2',
      addedHere: '1',
      addedThere: '1',
    });
  });

  it('keep both where both have changed one, and what one has changed and the other deleted', () => {
    const base = viewsOf({ one: '1', two: '1', three: '1' });
    expect(plan(base, viewsOf({ one: '2', two: '2' }), viewsOf({ one: '3', three: '3' }))).toEqual({
      'one': '3',
      'one (2)': '2',
      'two': '2',
      'three': '3',
    });
  });

  it('become the same in both, whichever merges', () => {
    const merged =
      planItem({
        name: 'orders.views',
        local: viewsOf({ a: '1' }),
        base: undefined,
        remote: { version: 2, text: viewsOf({ b: '1' }) },
      }) ?? '';
    expect(
      planItem({
        name: 'orders.views',
        local: merged,
        base: { version: 2, text: viewsOf({ b: '1' }) },
        remote: { version: 2, text: viewsOf({ b: '1' }) },
      }),
    ).toBe(merged);
  });
});

it('watchlists of two browsers have the products of both', () => {
  const merged = planItem({
    name: 'watchlists',
    local: listsOf(['favourites', 1, 2], ['mine', 5]),
    base: undefined,
    remote: { version: 1, text: listsOf(['favourites', 2, 3], ['theirs', 7]) },
  });
  expect(JSON.parse(merged ?? '')).toEqual(JSON.parse(listsOf(['favourites', 1, 2, 3], ['theirs', 7], ['mine', 5])));
});

it('drawings of two browsers are all there, and one that both have moved is as this browser has it', () => {
  const drawn = (ticks: Readonly<Record<string, number>>): string =>
    JSON.stringify({ version: 1, drawings: Object.entries(ticks).map(([id, at]) => ({ id, at })) });
  const merged = planItem({
    name: '5614.drawings',
    local: drawn({ both: 2, here: 1 }),
    base: { version: 1, text: drawn({ both: 1, deleted: 1 }) },
    remote: { version: 2, text: drawn({ both: 3, deleted: 1, there: 1 }) },
  });
  expect(JSON.parse(merged ?? '')).toEqual(JSON.parse(drawn({ both: 2, there: 1, here: 1 })));
});
