import { expect, test } from 'vitest';
import { findPlainPassage } from './postgres-address.ts';

test.each([
  ['postgres://desk:secret@db.example/desk', 'by default'],
  ['postgresql://desk@10.0.0.7:5433/desk?application_name=desk', 'by default'],
  ['postgres://desk@[fd00::1]/desk', 'by default'],
  ['postgres://desk@localhost.example/desk', 'by default'],
  ['postgres://desk@localhost/desk?host=db.example', 'by default'],
  ['postgres://desk@db.example/desk?ssl=0', 'by default'],
  ['postgres://desk@db.example/desk?sslmode=disable', 'by choice'],
  ['postgres://desk@db.example/desk?a=b&sslmode=disable&c=d', 'by choice'],
  ['postgres://desk@db.example/desk?sslmode=verify-full', null],
  ['postgres://desk@db.example/desk?sslmode=no-verify', null],
  ['postgres://desk@db.example/desk?ssl=true', null],
  ['postgres://desk@localhost/desk', null],
  ['postgres://desk@127.0.0.1:5433/desk', null],
  ['postgres://desk@127.1.2.3/desk?sslmode=disable', null],
  ['postgres://desk@[::1]/desk', null],
  ['postgres://desk@%2Frun%2Fpostgresql/desk', null],
  [':memory:', null],
  ['data/venue.sqlite', null],
  ['postgres:///desk?host=/run/postgresql', null],
])('%s passes a network unencrypted: %s', (url, passage) => {
  expect(findPlainPassage(url)).toBe(passage);
});
