import { expect, it } from 'vitest';
import type { DeskMe } from '#contract/desk/access.ts';
import { createAccess, may, toEntitlement } from './access.ts';

type Me = NonNullable<DeskMe['me']>;

const scope = { all: false, accounts: ['NORD-105'], firms: [], connections: [] };
const me: Me = { id: 'p1', name: 'Ines', roles: ['orders'], scope, way: 'password', has_password: true, passkeys: [] };
const signedIn: DeskMe = { mode: 'users', me, forgery_token: 'token', ways: ['password'] };

it('lets all use all where nobody signs in', () => {
  expect(may(null, 'admin')).toBe(true);
});

it('lets one use what the own roles include', () => {
  expect(may(signedIn, 'orders')).toBe(true);
  expect(may(signedIn, 'markets')).toBe(true);
  expect(may(signedIn, 'signed in')).toBe(true);
  expect(may(signedIn, 'operations')).toBe(false);
  expect(may(signedIn, 'admin')).toBe(false);
});

it('lets one who is not signed in use what needs nothing, and no more', () => {
  const nobody: DeskMe = { ...signedIn, me: null, forgery_token: null };
  expect(may(nobody, 'nothing')).toBe(true);
  expect(may(nobody, 'signed in')).toBe(false);
  expect(may(nobody, 'markets')).toBe(false);
});

it('tells entitlements apart by person, roles and scope, and by nothing else', () => {
  expect(toEntitlement({ ...me, name: 'Ines B.', passkeys: [], has_password: false })).toBe(toEntitlement(me));
  for (const other of [{ id: 'p2' }, { roles: ['markets'] as Me['roles'] }, { scope: { ...scope, firms: ['NORD'] } }]) {
    expect(toEntitlement({ ...me, ...other })).not.toBe(toEntitlement(me));
  }
});

it('notifies of who signs in, with the headers of their actions', async () => {
  const access = createAccess();
  const seen: (string | undefined)[] = [];
  const stop = access.subscribe(() => seen.push(access.read()?.me?.id));
  access.change(signedIn, { 'a-header': 'token' });
  expect(access.headers()).toEqual({ 'a-header': 'token' });
  access.change({ ...signedIn, me: null }, {});
  stop();
  access.change(signedIn, {});
  expect(seen).toEqual(['p1', undefined]);
  let checks = 0;
  await access.check();
  access.onCheck(() => Promise.resolve(void (checks += 1)));
  await access.check();
  expect(checks).toBe(1);
});
