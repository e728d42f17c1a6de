import { expect, it } from 'vitest';
import type { Day } from '#contract/day.ts';
import { toAskedRange } from './chosen-range.ts';

const today = '2026-11-21' as Day;

it('a range with a name is counted back from today, and has no end', () => {
  expect(toAskedRange({ name: '3M' }, today)).toEqual({ begin_time: '2026-08-21T00:00:00Z' });
});

it('a range of one’s own has both of its days in it, or no end', () => {
  expect(toAskedRange({ from: '2026-02-01', to: '2026-02-28' }, today)).toEqual({ begin_time: '2026-02-01T00:00:00Z', end_time: '2026-03-01T00:00:00Z' });
  expect(toAskedRange({ from: '2026-02-01', to: null }, today)).toEqual({ begin_time: '2026-02-01T00:00:00Z' });
});
