import { expect, test } from 'vitest';
import { rangeParam } from './range-param.ts';

const param = rangeParam(['1M', '6M'], '6M');
const read = (query: string) => param.read(new URLSearchParams(query));

test('a range is one by name, or from one date to another, or up to now', () => {
  expect(read('range=1M')).toEqual({ name: '1M' });
  expect(read('from=2026-11-01&to=2026-11-10')).toEqual({ from: '2026-11-01', to: '2026-11-10' });
  expect(read('from=2026-11-01&to=2026-11-01')).toEqual({ from: '2026-11-01', to: '2026-11-01' });
  expect(read('from=2026-11-01')).toEqual({ from: '2026-11-01', to: null });
});

test('one that ends before it begins is none, nor is one of dates that there are not', () => {
  expect(read('from=2026-11-10&to=2026-11-01')).toEqual({ name: '6M' });
  expect(read('from=2026-02-30&to=2026-11-01')).toEqual({ name: '6M' });
});
