import { expect, it } from 'vitest';
import { createShallowKeeper } from './use-stable.ts';

it('returns the same object while each of its parts is the same', () => {
  const keep = createShallowKeeper<{ readonly rows: readonly string[]; readonly all: boolean }>();
  const rows = ['a'];
  const first = keep({ rows, all: false });
  expect(keep({ rows, all: false })).toBe(first);
  const other = { rows, all: true };
  expect(keep(other)).toBe(other);
  const copied = { rows: ['a'], all: true };
  expect(keep(copied)).toBe(copied);
});
