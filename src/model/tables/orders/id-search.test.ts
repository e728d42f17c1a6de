import { expect, it } from 'vitest';
import { toIdFilter, toIdSearch } from './id-search.ts';

it.each([
  [
    { mode: 'has', text: ' 7674 ' },
    { kind: 'has', text: '7674' },
  ],
  [
    { mode: 'starts', text: '7674' },
    { kind: 'starts', text: '7674' },
  ],
  [
    { mode: 'is', text: '7674,\n 7675;7676' },
    { kind: 'is', texts: ['7674', '7675', '7676'] },
  ],
  [{ mode: 'is', text: ' , ' }, null],
  [{ mode: 'has', text: '' }, null],
] as const)('the search %j is the filter %j', (search, filter) => {
  expect(toIdFilter(search)).toEqual(filter);
  if (filter !== null) expect(toIdFilter(toIdSearch(filter))).toEqual(filter);
});

it('other filters are no search for ids', () => {
  expect(toIdSearch({ kind: 'between', from: 1, to: 2 })).toEqual({ mode: 'has', text: '' });
});
