import { expect, it } from 'vitest';
import { describeWays } from '../people/describe-ways.ts';
import { findMistake } from './password-field.tsx';
import { splitCodes } from './entitlement-fields.tsx';

it('splits codes that are typed or pasted in any list', () => {
  expect(splitCodes('NORD-105, NORD-107;X\n Y\t')).toEqual(['NORD-105', 'NORD-107', 'X', 'Y']);
  expect(splitCodes(' , ')).toEqual([]);
});

it.each([
  ['eleven char', '', '1 more character needed.'],
  ['short', '', '7 more characters needed.'],
  // Each key counts once, however many bytes it takes.
  ['🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑', '', '1 more character needed.'],
  ['violet harbour', 'violet harbor', 'The passwords do not match.'],
  ['violet harbour', 'violet harbour', undefined],
])('says what is wrong with a password that is chosen: %s', (password, again, mistake) => {
  expect(findMistake({ password, again })).toBe(mistake);
});

it('says how a person can sign in', () => {
  expect(describeWays({ has_password: true, passkeys: 0 })).toBe('password');
  expect(describeWays({ has_password: true, passkeys: 2 })).toBe('password, 2 passkeys');
  expect(describeWays({ has_password: false, passkeys: 1 })).toBe('1 passkey');
  expect(describeWays({ has_password: false, passkeys: 0 })).toBe('nothing yet');
});
