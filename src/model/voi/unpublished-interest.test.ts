import { expect, it } from 'vitest';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { describeUnpublished } from './unpublished-interest.ts';

function days(interest: Readonly<Record<string, number | null>>): readonly VOIDataPoint[] {
  return Object.entries(interest).map(([date, openInterest]) => ({ date, openInterest }) as unknown as VOIDataPoint);
}

it('days without open interest are named, but not those that are still to be published', () => {
  expect(describeUnpublished(days({ '2026-11-12': 5, '2026-11-13': null, '2026-11-16': 7, '2026-11-17': null }))).toBe(
    'Open interest not published for 13 Nov 2026.',
  );
  expect(describeUnpublished(days({ '2026-11-12': 5, '2026-11-13': null }))).toBeNull();
  expect(describeUnpublished([])).toBeNull();
});

it('a day that one of several products has is published', () => {
  expect(
    describeUnpublished([
      ...days({ '2026-11-12': null, '2026-11-13': 5 }),
      ...days({ '2026-11-12': 4, '2026-11-13': 5 }),
    ]),
  ).toBeNull();
});
