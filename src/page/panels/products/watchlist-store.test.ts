import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createStar, createWatchlistStore, type Watchlist } from './watchlist-store.ts';

function startStar() {
  const lists = [
    { id: 'a', name: 'Majors', products: [1] },
    { id: 'b', name: 'Other', products: [5] },
  ];
  const { frame } = createFakeFrame({ 'perpdesk.watchlists': JSON.stringify({ version: 1, lists }) });
  const open = () => createStar(createWatchlistStore(frame), 'a');
  return {
    star: open(),
    openOther: open,
    listed: () =>
      createWatchlistStore(frame)
        .read()
        .map(({ products }) => products),
  };
}

it('puts a product on its list, and takes it off', () => {
  const { star, listed } = startStar();
  star.toggle(5);
  expect([star.listName(), star.isOn(5), star.isOn(6), listed()]).toEqual(['Majors', true, false, [[1, 5], [5]]]);
  star.toggle(5);
  expect([star.isOn(5), listed()]).toEqual([false, [[1], [5]]]);
});

it('does what it shows, whatever another tab has just done', () => {
  const { star, openOther, listed } = startStar();
  const other = openOther();
  star.toggle(5);
  // The other tab does not know this yet, and still offers to add it.
  other.toggle(5);
  expect(listed()).toEqual([[1, 5], [5]]);
});

it('of a list that is gone has no product', () => {
  const { frame } = createFakeFrame();
  const star = createStar(createWatchlistStore(frame), 'gone');
  star.toggle(5);
  expect([star.isOn(5), star.listName()]).toEqual([false, '']);
});

function storeWith(held: Readonly<Record<string, string>>): readonly Watchlist[] {
  return createWatchlistStore(createFakeFrame(held).frame).read();
}

function favourites(...products: readonly number[]): readonly Watchlist[] {
  return [{ id: 'favourites', name: 'Favourites', products }];
}

function add(product: number) {
  return (lists: readonly Watchlist[]) => lists.map((list) => ({ ...list, products: [...list.products, product] }));
}

describe('watchlists', () => {
  it('begin with the favourites there were before', () => {
    expect(storeWith({})).toEqual(favourites());
    expect(storeWith({ 'perpdesk.favourites': '{"version":1,"products":[5614,"5609",1.5,null,5608,5614]}' })).toEqual(
      favourites(5614, 5608),
    );
  });

  it.each([['nonsense'], ['[5]'], ['{"version":1,"products":5}'], ['{"version":2,"products":[5]}']])(
    'begin empty where the favourites are %s',
    (text) => {
      expect(storeWith({ 'perpdesk.favourites': text })).toEqual(favourites());
    },
  );

  it.each([
    ['nonsense'],
    ['null'],
    ['{"version":2,"lists":[]}'],
    ['{"version":1,"lists":[]}'],
    ['{"version":1,"lists":{"id":"a"}}'],
    ['{"version":1,"lists":[7,null,{"id":"","name":"a"},{"id":"a"}]}'],
  ])('are the favourites where %s is stored', (lists) => {
    expect(storeWith({ 'perpdesk.watchlists': lists, 'perpdesk.favourites': '{"version":1,"products":[5]}' })).toEqual(
      favourites(5),
    );
  });

  it('keep what is sound of damaged lists', () => {
    const lists = [
      { id: 'a', name: 'A', products: [1, 'x', 1, 2.5] },
      { id: 'b', name: 'B' },
      { id: 'c', name: 7 },
      'd',
    ];
    expect(storeWith({ 'perpdesk.watchlists': JSON.stringify({ version: 1, lists }) })).toEqual([
      { id: 'a', name: 'A', products: [1] },
      { id: 'b', name: 'B', products: [] },
    ]);
  });

  it('are stored with their version, and keep the changes of two tabs', () => {
    const { frame } = createFakeFrame();
    const [one, other] = [createWatchlistStore(frame), createWatchlistStore(frame)];
    one.update(add(5));
    other.update(add(7));
    expect(createWatchlistStore(frame).read()).toEqual(favourites(5, 7));
    expect(frame.localStorage.getItem('perpdesk.watchlists')).toBe(
      '{"version":1,"lists":[{"id":"favourites","name":"Favourites","products":[5,7]}]}',
    );
  });

  it('last as long as the tab where storage is forbidden', () => {
    const { frame, forbidStorage } = createFakeFrame();
    forbidStorage();
    const store = createWatchlistStore(frame);
    store.update(add(5));
    store.update(add(7));
    expect(store.read()).toEqual(favourites(5, 7));
  });
});
