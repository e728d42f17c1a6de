import { expect, test } from 'vitest';
import { warnOfPlainDatabase } from './exposure-warnings.ts';

test.each([
  ['postgres://desk@db.example/desk?sslmode=disable', ['database without TLS']],
  ['postgres://desk@db.example/desk?sslmode=verify-full', []],
  ['postgres://desk@localhost/desk', []],
  [null, []],
])('%s: one line says whether the network path is unprotected', (databaseUrl, expected) => {
  const events: string[] = [];
  warnOfPlainDatabase((_, event) => void events.push(event), { databaseUrl });
  expect(events).toEqual(expected);
});
