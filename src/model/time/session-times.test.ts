import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { sessionTimes } from './session-times.ts';

const timesOf = (day: string, everyDay: boolean): readonly string[] => {
  const { from, to } = sessionTimes(day as Day, { everyDay });
  return [from, to].map((time) => new Date(time).toISOString().slice(0, 'YYYY-MM-DDTHH'.length));
};

it('is from one settlement in Chicago to the next, also over a weekend and over both changes of its clocks', () => {
  expect(timesOf('2026-08-17', true)).toEqual(['2026-08-16T21', '2026-08-17T21']);
  expect(timesOf('2026-11-30', false)).toEqual(['2026-11-27T22', '2026-11-30T22']);
  expect(timesOf('2026-11-01', true)).toEqual(['2026-10-31T21', '2026-11-01T22']);
  expect(timesOf('2026-03-08', true)).toEqual(['2026-03-07T22', '2026-03-08T21']);
});
