import { expect, it } from 'vitest';
import { describeRange, describeSelection } from './describe-selection.ts';

it('tells how large a range of cells is', () => {
  expect(describeRange({ firstLine: 3, lastLine: 1_002, firstPlace: 2, lastPlace: 2 })).toBe('Selected 1,000 rows by 1 column.');
});

it.each([
  [1, 0, 'Selected 1 row.'],
  [20, 1, 'Selected 20 rows, but NOT 1 row that is not in memory.'],
  [20, 300, 'Selected 20 rows, but NOT 300 rows that are not in memory.'],
])('tells that %i rows are selected and %i were not in memory', (count, missing, sentence) => {
  expect(describeSelection(count, missing)).toBe(sentence);
});
