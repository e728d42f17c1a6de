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

test('shows the whole range when bars are added', () => {
  keeper.follow('BTC', 84);
  expect(seen).toEqual(wholeOf(84));
});

test('keeps the part that the user moved to, by drag or by keys', () => {
  keeper.release();
  keeper.follow('BTC', 84);
  expect(seen).toEqual(wholeOf(60));

  keeper.follow('ETH', 60);
  keeper.show({ from: 10, to: 20 }, 60);
  keeper.follow('ETH', 84);
  expect(seen).toEqual({ from: 10, to: 20 });
});

test('shows added bars again after the whole range or another subject was shown', () => {
  keeper.release();
  keeper.show(wholeOf(60), 60);
  keeper.follow('BTC', 84);
  expect(seen).toEqual(wholeOf(84));

  keeper.release();
  keeper.follow('ETH', 30);
  keeper.follow('ETH', 31);
  expect(seen).toEqual(wholeOf(31));
});
