import { expect, test } from 'vitest';
import { rangeParam, whyRangeIgnored } from './range-param.ts';

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

test('says why the range of an address is ignored, also where only its end is', () => {
  const why = (query: string) => whyRangeIgnored(new URLSearchParams(query), ['1M', '6M']);
  expect(['', 'range=1M', 'from=2026-11-01', 'from=2026-11-01&to=2026-11-01', 'from=&to='].map(why)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(why('from=2026-11-10&to=2026-11-01')).toBe('Its end, 2026-11-01, is before its start, 2026-11-10.');
  expect(why('from=2026-02-30&to=2026-11-01')).toBe('2026-02-30 is no date.');
  expect(why('from=2026-11-01&to=soon')).toBe('soon is no date.');
  expect(why('to=2026-11-01')).toBe('It has an end but no start.');
  expect(why('range=5M')).toBe('There is no range 5M.');
});
