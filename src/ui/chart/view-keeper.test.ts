import { beforeEach, expect, test } from 'vitest';
import { createViewKeeper, type ViewKeeper } from './view-keeper.ts';
import { wholeOf, type ViewWindow } from './view-window.ts';

let seen: ViewWindow | null = null;
let keeper: ViewKeeper;

beforeEach(() => {
  keeper = createViewKeeper((view) => {
    seen = view;
  });
  keeper.follow('BTC', 60);
});

test('a picture that gets more bars is seen whole again', () => {
  keeper.follow('BTC', 84);
  expect(seen).toEqual(wholeOf(84));
});

test('the part that the reader has moved to stays, by hand or by keys', () => {
  keeper.release();
  keeper.follow('BTC', 84);
  expect(seen).toEqual(wholeOf(60));

  keeper.follow('ETH', 60);
  keeper.show({ from: 10, to: 20 }, 60);
  keeper.follow('ETH', 84);
  expect(seen).toEqual({ from: 10, to: 20 });
});

test('a reader who has seen all of it again, or another picture, sees all that is added', () => {
  keeper.release();
  keeper.show(wholeOf(60), 60);
  keeper.follow('BTC', 84);
  expect(seen).toEqual(wholeOf(84));

  keeper.release();
  keeper.follow('ETH', 30);
  keeper.follow('ETH', 31);
  expect(seen).toEqual(wholeOf(31));
});
