import { expect, test } from 'vitest';
import { rangeParam } from './range-param.ts';

const param = rangeParam(['1M', '6M'], '6M');
const read = (query: string) => param.read(new URLSearchParams(query));

test('reads a named range, one between dates, and one up to now', () => {
  expect(read('range=1M')).toEqual({ name: '1M' });
  expect(read('from=2026-11-01&to=2026-11-10')).toEqual({ from: '2026-11-01', to: '2026-11-10' });
  expect(read('from=2026-11-01&to=2026-11-01')).toEqual({ from: '2026-11-01', to: '2026-11-01' });
  expect(read('from=2026-11-01')).toEqual({ from: '2026-11-01', to: null });
});

test('ignores reversed ranges and dates that do not exist', () => {
  expect(read('from=2026-11-10&to=2026-11-01')).toEqual({ name: '6M' });
  expect(read('from=2026-02-30&to=2026-11-01')).toEqual({ name: '6M' });
});
