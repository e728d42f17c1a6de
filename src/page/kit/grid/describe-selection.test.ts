import { expect, it } from 'vitest';
import { describeRange, describeSelection } from './copy-cells.ts';

it('describes the size of a cell range', () => {
  expect(describeRange({ firstLine: 3, lastLine: 1_002, firstPlace: 2, lastPlace: 2 })).toBe(
    'Selected 1,000 rows by 1 column.',
  );
});

it.each([
  [1, 0, 'Selected 1 row.'],
  [20, 1, 'Selected 20 rows; 1 row NOT selected: not loaded.'],
  [20, 300, 'Selected 20 rows; 300 rows NOT selected: not loaded.'],
])('describes %i selected rows with %i not loaded', (count, missing, sentence) => {
  expect(describeSelection(count, missing)).toBe(sentence);
});
