import { expect, it } from 'vitest';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { findCheckedSessions } from './price-evidence.ts';

const day = (productId: number, date: string, openInterest: number | null = 5): VOIDataPoint =>
  ({ productId, date, openInterest }) as unknown as VOIDataPoint;
const settled = (date: string): ProductData =>
  ({ settlement_time: `${date}T22:00:00Z`, settlement_price: 5 }) as unknown as ProductData;

it('has the sessions of the last settlements and of the newest open interest, those of most products first', () => {
  const days = [
    day(1, '2026-11-19'),
    day(1, '2026-11-20'),
    day(1, '2026-11-21', null),
    day(2, '2026-11-20'),
    day(3, '2026-11-19'),
  ];
  expect(findCheckedSessions(days, [settled('2026-11-21')])).toEqual(['2026-11-20', '2026-11-19', '2026-11-21']);
});

it('leaves out products that stopped trading, and reads no more than four sessions', () => {
  const dates = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'];
  expect(findCheckedSessions([], [settled('2026-10-30'), ...dates.map(settled)])).toEqual(dates.slice(0, 4));
  expect(findCheckedSessions([], [settled('2026-10-30'), settled('2026-11-24')])).toEqual(['2026-11-24']);
  expect(findCheckedSessions([], [])).toEqual([]);
});
