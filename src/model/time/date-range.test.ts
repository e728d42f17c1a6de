import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { toRequestedRange } from './date-range.ts';

const today = '2026-11-21' as Day;

it('a named range goes back from today and has no end', () => {
  expect(toRequestedRange({ name: '3M' }, today, '1D')).toEqual({ begin_time: '2026-08-21T00:00:00Z' });
});

it('a custom range includes both of its days, or has no end', () => {
  expect(toRequestedRange({ from: '2026-02-01', to: '2026-02-28' }, today, '1D')).toEqual({
    begin_time: '2026-02-01T00:00:00Z',
    end_time: '2026-03-01T00:00:00Z',
  });
  expect(toRequestedRange({ from: '2026-02-01', to: null }, today, '1D')).toEqual({
    begin_time: '2026-02-01T00:00:00Z',
  });
});

it('a range of weeks or months begins with a whole bar', () => {
  expect(toRequestedRange({ name: '6M' }, '2026-11-23' as Day, '1D')).toEqual({ begin_time: '2026-05-23T00:00:00Z' });
  expect(toRequestedRange({ name: '6M' }, '2026-11-23' as Day, '1W')).toEqual({ begin_time: '2026-05-18T00:00:00Z' });
  expect(toRequestedRange({ name: '6M' }, '2026-11-23' as Day, '1M')).toEqual({ begin_time: '2026-05-01T00:00:00Z' });
  expect(toRequestedRange({ from: '2026-05-23', to: '2026-06-30' }, today, '1M')).toEqual({
    begin_time: '2026-05-01T00:00:00Z',
    end_time: '2026-07-01T00:00:00Z',
  });
});

it('the range All requests the same for bars of every length', () => {
  const all = toRequestedRange({ name: 'All' }, today, '1D');
  expect([toRequestedRange({ name: 'All' }, today, '1W'), toRequestedRange({ name: 'All' }, today, '1M')]).toEqual([
    all,
    all,
  ]);
});
