import { expect, it } from 'vitest';
import { createColumns, type ColumnContext } from './columns.ts';

it('all but the link to orders stands within a window of 1440, with the same space to its edge as between columns', () => {
  const [navigator, clock, favourites] = [{}, {}, {}] as unknown as [ColumnContext['navigator'], ColumnContext['clock'], ColumnContext['favourites']];
  const columns = createColumns({ mostDigits: 5, navigator, clock, toVenueTime: (now) => now, favourites });
  const wide = columns.filter(({ id, hidden }) => hidden !== true && id !== 'orders').reduce((sum, { width }) => sum + width, 0);
  expect(wide).toBeLessThanOrEqual(1_440);
});
