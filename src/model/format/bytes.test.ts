import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [0, '0.0 kB'],
  [12_345, '12.3 kB'],
  [4_500_000, '4.5 MB'],
  [5 * 1_024 ** 3, '5.4 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
