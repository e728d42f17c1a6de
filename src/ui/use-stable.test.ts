import { expect, it } from 'vitest';
import { createShallowKeeper } from './use-stable.ts';

it('an object is the same for as long as each of its parts is', () => {
  const keep = createShallowKeeper<{ readonly rows: readonly string[]; readonly all: boolean }>();
  const rows = ['a'];
  const first = keep({ rows, all: false });
  expect(keep({ rows, all: false })).toBe(first);
  const other = { rows, all: true };
  expect(keep(other)).toBe(other);
  const copied = { rows: ['a'], all: true };
  expect(keep(copied)).toBe(copied);
});
