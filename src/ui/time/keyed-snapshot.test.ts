import { expect, test } from 'vitest';
import { takeSnapshot } from './keyed-snapshot.ts';

test('a choice keeps its day however long it stands, and another one has the day on which it is made', () => {
  const opened = takeSnapshot(null, '6M', () => '2026-11-01');
  const later = takeSnapshot(opened, '6M', () => '2026-11-23');
  expect(later).toBe(opened);
  expect(takeSnapshot(later, '1M', () => '2026-11-23').value).toBe('2026-11-23');
});
