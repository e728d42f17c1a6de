import { expect, it } from 'vitest';
import { createColumns, type ColumnContext } from './columns.ts';

it('every column but the link to orders fits a window of 1440 px', () => {
  const [navigator, clock, favourites] = [{}, {}, {}] as unknown as [ColumnContext['navigator'], ColumnContext['clock'], ColumnContext['favourites']];
  const columns = createColumns({ alignedDigits: 5, datesShown: { last: false, settlement: false }, navigator, clock, toVenueTime: (now) => now, favourites });
  const width = columns.filter(({ id, hidden }) => hidden !== true && id !== 'orders').reduce((sum, column) => sum + column.width, 0);
  expect(width).toBeLessThanOrEqual(1_440);
});
