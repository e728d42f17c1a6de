import { expect, it } from 'vitest';
import { sortBySymbol } from './spread-chart.tsx';

it('lists the legs of a spread by symbol, whatever the order of product ids', () => {
  expect(
    sortBySymbol([{ symbol: 'SHBUN' }, { symbol: 'BCHUS' }, { symbol: 'XTZUK' }]).map(({ symbol }) => symbol),
  ).toEqual(['BCHUS', 'SHBUN', 'XTZUK']);
});
