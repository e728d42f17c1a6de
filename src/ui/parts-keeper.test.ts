import { expect, it } from 'vitest';
import { createPartsKeeper } from './parts-keeper.ts';

it('an object is the same for as long as each of its parts is', () => {
  const keep = createPartsKeeper<{ readonly rows: readonly string[]; readonly all: boolean }>();
  const rows = ['a'];
  const first = keep({ rows, all: false });
  expect(keep({ rows, all: false })).toBe(first);
  const other = { rows, all: true };
  expect(keep(other)).toBe(other);
  const copied = { rows: ['a'], all: true };
  expect(keep(copied)).toBe(copied);
});
