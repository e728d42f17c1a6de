import { expect, it } from 'vitest';
import type { Day } from '#contract/day.ts';
import { toAskedRange } from './chosen-range.ts';

const today = '2026-11-21' as Day;

it('a range with a name is counted back from today, and has no end', () => {
  expect(toAskedRange({ name: '3M' }, today, '1D')).toEqual({ begin_time: '2026-08-21T00:00:00Z' });
});

it('a range of one’s own has both of its days in it, or no end', () => {
  expect(toAskedRange({ from: '2026-02-01', to: '2026-02-28' }, today, '1D')).toEqual({ begin_time: '2026-02-01T00:00:00Z', end_time: '2026-03-01T00:00:00Z' });
  expect(toAskedRange({ from: '2026-02-01', to: null }, today, '1D')).toEqual({ begin_time: '2026-02-01T00:00:00Z' });
});

it('a range of weeks or months begins with the first of them whole, whoever chose its first day', () => {
  expect(toAskedRange({ name: '6M' }, '2026-11-23' as Day, '1D')).toEqual({ begin_time: '2026-05-23T00:00:00Z' });
  expect(toAskedRange({ name: '6M' }, '2026-11-23' as Day, '1W')).toEqual({ begin_time: '2026-05-18T00:00:00Z' });
  expect(toAskedRange({ name: '6M' }, '2026-11-23' as Day, '1M')).toEqual({ begin_time: '2026-05-01T00:00:00Z' });
  expect(toAskedRange({ from: '2026-05-23', to: '2026-06-30' }, today, '1M')).toEqual({ begin_time: '2026-05-01T00:00:00Z', end_time: '2026-07-01T00:00:00Z' });
});

it('all there is asks the same for bars of every length', () => {
  const all = toAskedRange({ name: 'All' }, today, '1D');
  expect([toAskedRange({ name: 'All' }, today, '1W'), toAskedRange({ name: 'All' }, today, '1M')]).toEqual([all, all]);
});
