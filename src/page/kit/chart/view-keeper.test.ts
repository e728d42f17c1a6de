import { beforeEach, expect, test } from 'vitest';
import { createViewKeeper, type ViewKeeper } from './view-keeper.ts';
import { wholeOf, type ViewWindow } from './view-window.ts';

let seen: ViewWindow | null = null;
let keeper: ViewKeeper;

beforeEach(() => {
  keeper = createViewKeeper((view) => {
    seen = view;
  });
  keeper.follow('BTC', 60, null);
});

test('shows the whole range when bars are added', () => {
  keeper.follow('BTC', 84, null);
  expect(seen).toEqual(wholeOf(84));
});

test('keeps the part that the user moved to, by drag or by keys', () => {
  keeper.release();
  keeper.follow('BTC', 84, null);
  expect(seen).toEqual(wholeOf(60));

  keeper.follow('ETH', 60, null);
  keeper.show({ from: 10, to: 20 }, 60);
  keeper.follow('ETH', 84, null);
  expect(seen).toEqual({ from: 10, to: 20 });
});

test('shows added bars again after the whole range or another subject was shown', () => {
  keeper.release();
  keeper.show(wholeOf(60), 60);
  keeper.follow('BTC', 84, null);
  expect(seen).toEqual(wholeOf(84));

  keeper.release();
  keeper.follow('ETH', 30, null);
  keeper.follow('ETH', 31, null);
  expect(seen).toEqual(wholeOf(31));
});

test('shows the chosen part of a subject while bars are added, until the user moves it', () => {
  keeper.follow('ETH', 60, { from: 9.5, to: 20.5 });
  expect(seen).toEqual({ from: 9.5, to: 20.5 });
  keeper.follow('ETH', 61, { from: 10.5, to: 21.5 });
  expect([seen, keeper.isSet()]).toEqual([{ from: 10.5, to: 21.5 }, false]);
  keeper.show({ from: 1, to: 5 }, 61);
  keeper.follow('ETH', 62, { from: 1.5, to: 5.5 });
  expect([seen, keeper.isSet()]).toEqual([{ from: 1, to: 5 }, true]);
  keeper.show(wholeOf(62), 62);
  keeper.follow('ETH', 63, { from: 1.5, to: 5.5 });
  expect([seen, keeper.isSet()]).toEqual([wholeOf(63), true]);
});

test('a part that is named once the subject is on screen does not move it', () => {
  keeper.follow('BTC', 60, { from: 9.5, to: 20.5 });
  expect(seen).toEqual(wholeOf(60));
});

test('shows the whole range once no part is chosen any more', () => {
  keeper.show({ from: 9.5, to: 20.5 }, 60);
  keeper.follow('BTC', 60, { from: 9.5, to: 20.5 });
  keeper.follow('BTC', 60, null);
  expect([seen, keeper.isSet()]).toEqual([wholeOf(60), false]);
});
