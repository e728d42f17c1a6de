import { expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createStar } from './star.ts';
import { createWatchlistStore } from './watchlist-store.ts';

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
  // That tab does not know yet, and still offers to add it.
  other.toggle(5);
  expect(listed()).toEqual([[1, 5], [5]]);
});

it('of a list that is gone has no product', () => {
  const { frame } = createFakeFrame();
  const star = createStar(createWatchlistStore(frame), 'gone');
  star.toggle(5);
  expect([star.isOn(5), star.listName()]).toEqual([false, '']);
});
