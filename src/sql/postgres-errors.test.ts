import { expect, test } from 'vitest';
import { withoutPassword } from './postgres-errors.ts';

test.each([
  ['postgres://desk@db/desk', 'postgres://desk@db/desk'],
  ['postgres://desk:secret@db:5432/desk', 'postgres://desk@db:5432/desk'],
  ['postgres://desk:se@cr:et@db/desk', 'postgres://desk@db/desk'],
  ['POSTGRES://desk:secret@db/desk', 'POSTGRES://desk@db/desk'],
  ['postgres://:secret@db/desk', 'postgres://@db/desk'],
  ['postgres://db/desk?user=desk&password=secret&ssl=1', 'postgres://db/desk?user=desk&password=...&ssl=1'],
  ['postgres://db/desk?password=se@cret', 'postgres://db/desk?password=...'],
])('an address is shown without its password: %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
