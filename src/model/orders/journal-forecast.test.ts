import { expect, test } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { forecastJournal } from './journal-forecast.ts';

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
