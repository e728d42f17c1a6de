import { expect, it } from 'vitest';
import { FAILURE_FRAGMENT, SIGN_IN_FAILURES } from '#contract/desk/oidc.ts';
import { findFailure } from './sign-in-failures.ts';

it('each failure of the contract has sentences of its own', () => {
  const found = Object.keys(SIGN_IN_FAILURES).map((code) => findFailure(FAILURE_FRAGMENT + code));
  expect(found).not.toContain(null);
  expect(new Set(found.map((failure) => failure?.happened)).size).toBe(found.length);
  for (const failure of found)
    for (const text of [failure?.happened, failure?.remedy]) expect(text).toMatch(/^[A-Z].+\.$/);
});

it.each([
  '',
  '#',
  '#refused',
  FAILURE_FRAGMENT,
  `${FAILURE_FRAGMENT}unknown`,
  `${FAILURE_FRAGMENT}constructor`,
  `${FAILURE_FRAGMENT}<b>refused</b>`,
  `${FAILURE_FRAGMENT}refused#`,
])('%j is none of them', (fragment) => {
  expect(findFailure(fragment)).toBeNull();
});
