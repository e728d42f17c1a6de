import { expect, test } from 'vitest';
import { takeSnapshot } from './use-now.tsx';

test('a key keeps its value, and another key reads a new one', () => {
  const opened = takeSnapshot(null, '6M', () => '2026-11-01');
  const later = takeSnapshot(opened, '6M', () => '2026-11-23');
  expect(later).toBe(opened);
  expect(takeSnapshot(later, '1M', () => '2026-11-23').value).toBe('2026-11-23');
});
