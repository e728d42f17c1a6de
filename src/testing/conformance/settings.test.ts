import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const BASE = ['--base-url', 'http://127.0.0.1:8080/api'];
const SIGNED = ['--connection-id', '3f', '--auth-token', 'ab'];

test('before a gateway nothing is signed here', () => {
  expect(readSettings([...BASE, '--gateway', '--decisions'])).toMatchObject({ gateway: true, credential: null, decisions: true });
});

test('before an exchange private requests are signed, for production without other word', () => {
  const credential = { connectionId: '3f', token: 'ab' };
  expect(readSettings([...BASE, ...SIGNED])).toMatchObject({ gateway: false, credential, env: 'prod' });
  expect(readSettings([...BASE, ...SIGNED, '--env', 'sandbox', '--read-only-budget', '100'])).toMatchObject({ env: 'sandbox', requestLimit: 100 });
});

test.each([
  ['--env', ['--env', 'prod']],
  ['--connection-id', SIGNED],
  ['--connection-id', ['--connection-id', '3f']],
  ['--auth-token', ['--auth-token', 'ab']],
])('%s, which a gateway would make nothing of, is refused with --gateway: %j', (name, options) => {
  expect(readSettings([...BASE, '--gateway', ...options])).toMatch(new RegExp(`^${name} has no meaning with --gateway`));
});

test.each([
  ['--auth-token', [...BASE, '--connection-id', '3f']],
  ['--connection-id', [...BASE, '--auth-token', 'ab']],
  ['--connection-id', BASE],
  ['--base-url', SIGNED],
  ['--base-url', ['--base-url', 'nowhere', ...SIGNED]],
  ['--read-only-budget', [...BASE, ...SIGNED, '--read-only-budget', '0.5']],
])('%s is named where it is what is wrong: %j', (name, options) => {
  expect(readSettings(options)).toMatch(new RegExp(`^${name} is `));
});
