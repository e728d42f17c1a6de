import { expect, test } from 'vitest';
import { micros } from '#testing/simulation/open-test-simulation.ts';
import { perpetual } from '#testing/http/small-universe.ts';
import { createMatching, type Quote } from '../../market/matching.ts';
import { createMarketSetup } from '../market-setup.ts';
import { createChangeBuffer } from './change-buffer.ts';
import { tradeUpTo } from './traders.ts';

const NOW = micros('2026-08-17T16:00:00Z');
const BOOK: readonly Quote[] = [
  { side: 'Bid', price: 98, quantity: 5 },
  { side: 'Bid', price: 96, quantity: 5 },
  { side: 'Ask', price: 102, quantity: 5 },
  { side: 'Ask', price: 104, quantity: 5 },
];

/** Returns the prices of the trades that bring an official price within the session, after trades at these prices. */
function tradesTo(official: number, before: readonly number[], book = BOOK): readonly number[] {
  const products = new Map([[perpetual.id, perpetual]]);
  const settings = { seed: 7, genesis: NOW, historyDays: 1, orders: 0, working: 0, cursorKey: '' };
  const setup = { ...createMarketSetup(new Map(), settings), products, matching: createMatching(products) };
  const buffer = createChangeBuffer(
    before.map((price) => ({ productId: perpetual.id, time: NOW - 1, price, quantity: 1, cents: 1 })),
  );
  setup.matching.quote('maker', perpetual.id, book, 1n);
  tradeUpTo(official, perpetual, NOW, { setup, buffer });
  return (buffer.take().trades ?? []).map(({ price }) => price);
}

test('nobody trades where an official price is between the low and the high of the session', () => {
  expect(tradesTo(100, [99, 101])).toEqual([]);
  expect(tradesTo(99, [99])).toEqual([]);
});

test('a buyer trades up to a price above the high, a seller down to one below the low', () => {
  expect(tradesTo(100, [99])).toEqual([102]);
  expect(tradesTo(103, [99])).toEqual([102, 104]);
  expect(tradesTo(100, [101])).toEqual([98]);
  expect(tradesTo(97, [101])).toEqual([98, 96]);
});

test('both trade where nothing has traded', () => {
  expect(tradesTo(100, [])).toEqual([102, 98]);
});

test('nobody trades where no quote reaches the price', () => {
  expect(tradesTo(105, [99])).toEqual([]);
  expect(tradesTo(100, [], [])).toEqual([]);
});
