import { expect, test } from 'vitest';
import type { Answer } from '#api/answer.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import { measureWindow } from '#domain/funding/funding-window.ts';
import { boundaryAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { toOneData } from './one-data.ts';

/** Known since the launch, at boundary 0, but asked for from boundary 11 on. */
const perpetual = { base_symbol: 'BTCUC', product_id: 5_599, prints: toWirePrints([printAt(10, '0.0001'), printAt(11, '0.0002'), printAt(13, '0.0003')]), known_from: boundaryAt(0), reaches_launch: true };
const source = { target: `/api/desk/funding?base_symbol=BTCUC&begin_time=${boundaryAt(11)}`, value: { perpetuals: [perpetual] } } as unknown as Answer<DeskFunding>;

test('what was not asked for is not read, and not missing', () => {
  const data = toOneData(source, null, []);
  const measured = data && measureWindow(data.series, { from: Date.parse(boundaryAt(2)), to: Date.parse(boundaryAt(14)) });
  expect(measured).toMatchObject({ prints: 3, intervals: 12, notRead: 8, missing: 1 });
});

test('what the increment is held against has to be read before ticks become USD', () => {
  const product = { product_id: 5_599, type: 'perpetual', base_symbol: 'BTCUC', price_increment: 5 } as unknown as DeskProduct;
  expect([null, []].map((prices) => toOneData(source, product, prices)?.conversion?.withheld)).toEqual([expect.stringContaining('has not been read'), null]);
});
