import { expect, test } from 'vitest';
import { atChoice } from './choice-moment.ts';

test('a choice keeps its day however long it stands, and another one has the day on which it is made', () => {
  const opened = atChoice(null, '6M', () => '2026-11-01');
  const later = atChoice(opened, '6M', () => '2026-11-23');
  expect(later).toBe(opened);
  expect(atChoice(later, '1M', () => '2026-11-23').value).toBe('2026-11-23');
});
