import { expect, test } from 'vitest';
import type { ActivityCounts, DeskJournalActivity } from '#contract/desk/journal.ts';
import { forecastJournal, isRatioWithheld, toOrderToTrade, toShareFilled } from './journal-figures.ts';
import type { Instant } from '#contract/exchange/instant.ts';

const counts = {
  placed: 5,
  changed: 9,
  modified: 3,
  ended_filled: 7,
  ended_partly_filled: 1,
  ended_unfilled: 2,
  fills: 4,
  quantity_ended: 50,
  quantity_ended_filled: 20,
} as unknown as ActivityCounts;

test('the order-to-trade ratio counts what was done with orders, for each fill; without fills there is none', () => {
  expect(toOrderToTrade(counts)).toBe(11 / 4);
  expect(toOrderToTrade({ ...counts, fills: 0 })).toBeNull();
});

test('the share filled is of orders that ended; where none did, there is none', () => {
  expect(toShareFilled(counts)).toBe(0.4);
  expect(toShareFilled({ ...counts, quantity_ended: 0 } as unknown as ActivityCounts)).toBeNull();
});

test('a gap withholds ratios', () => {
  const hour = { from: '2026-11-26T13:00:00Z', to: '2026-11-26T14:00:00Z' } as Pick<DeskJournalActivity, 'from' | 'to'>;
  expect([0, 36, 37].map((unread) => isRatioWithheld({ ...hour, unread_seconds: unread }))).toEqual([
    false,
    false,
    true,
  ]);
});

const at = (text: string) => `${text}Z` as Instant;
const journal = {
  kept_from: at('2026-10-24T00:00:00'),
  read_to: at('2026-10-26T00:00:00'),
  changes: 9,
  bytes: 1_000,
  max_bytes: 10_000,
};

test('at its rate so far, the journal is full when the rest of its room is used', () => {
  expect(forecastJournal(journal)).toEqual({ keptSeconds: 172_800, fullInSeconds: 9 * 172_800 });
});

test('a full journal keeps as much as it has', () => {
  expect(forecastJournal({ ...journal, bytes: 9_900 })).toEqual({ keptSeconds: 172_800, fullInSeconds: 0 });
});

test.each([
  ['nothing is sealed', { bytes: 0 }],
  ['it is shorter than an hour', { kept_from: at('2026-10-25T23:00:01') }],
])('its rate is unknown while %s', (_, change) => {
  expect(forecastJournal({ ...journal, ...change })?.fullInSeconds).toBeNull();
});

test('an empty journal has no forecast', () => {
  expect(forecastJournal({ ...journal, kept_from: null, read_to: null })).toBeNull();
});
