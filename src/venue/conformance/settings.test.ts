import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-settings-'));
const TOKEN_FILE = join(folder, 'token');
writeFileSync(TOKEN_FILE, 'ab\n', { mode: 0o600 });
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const BASE = ['--base-url', 'http://127.0.0.1:8080/api'];
const SIGNED = ['--connection-id', '3f', '--auth-token-file', TOKEN_FILE];

test('with --gateway, requests are not signed', () => {
  expect(readSettings([...BASE, '--gateway', '--decisions'])).toMatchObject({
    gateway: true,
    credential: null,
    decisions: true,
  });
});

test('without --gateway, private requests are signed, by default for production', () => {
  const credential = { connectionId: '3f', token: 'ab' };
  expect(readSettings([...BASE, ...SIGNED])).toMatchObject({ gateway: false, credential, env: 'prod' });
  expect(readSettings([...BASE, ...SIGNED, '--env', 'sandbox', '--read-only-budget', '100'])).toMatchObject({
    env: 'sandbox',
    requestLimit: 100,
  });
});

test('the token may come from the environment', () => {
  const environment = { CONFORMANCE_AUTH_TOKEN: 'cd' };
  expect(readSettings([...BASE, '--connection-id', '3f'], environment)).toMatchObject({
    credential: { connectionId: '3f', token: 'cd' },
  });
});

test.each([['--auth-token', 'ab'.repeat(32)], [`--auth-token=${'ab'.repeat(32)}`]])(
  'a token on the command line is refused, and not repeated: %s',
  (...option) => {
    expect(readSettings([...BASE, '--connection-id', '3f', ...option])).toBe(
      '--auth-token is not accepted: other users of this machine can read a command line. Use --auth-token-file <path>, or set CONFORMANCE_AUTH_TOKEN.',
    );
  },
);

test('a token file that other users can read is refused', () => {
  const file = join(folder, 'open');
  writeFileSync(file, 'ab');
  chmodSync(file, 0o644);
  expect(readSettings([...BASE, '--connection-id', '3f', '--auth-token-file', file])).toBe(
    `Other users have access to the file ${file} (mode 644): run "chmod 600 ${file}".`,
  );
});

test('a mistyped option is reported in a sentence that does not repeat a token', () => {
  const problem = readSettings([...BASE, '--token', 'ab'.repeat(32)]);
  expect(problem).toMatch(/^Unknown option '--token'/);
  expect(problem).not.toContain('abab');
});

test.each([
  ['--env', ['--env', 'prod']],
  ['--connection-id', SIGNED],
  ['--connection-id', ['--connection-id', '3f']],
  ['--auth-token-file', ['--auth-token-file', TOKEN_FILE]],
])('%s has no effect on a gateway and is refused with --gateway: %j', (name, options) => {
  expect(readSettings([...BASE, '--gateway', ...options])).toMatch(new RegExp(`^${name} has no effect with --gateway`));
});

test.each([
  ['--auth-token-file', [...BASE, '--connection-id', '3f']],
  ['--connection-id', [...BASE, '--auth-token-file', TOKEN_FILE]],
  ['--connection-id', BASE],
  ['--base-url', SIGNED],
  ['--base-url', ['--base-url', 'nowhere', ...SIGNED]],
  ['--read-only-budget', [...BASE, ...SIGNED, '--read-only-budget', '0.5']],
])('the problem names %s where that option is wrong: %j', (name, options) => {
  expect(readSettings(options)).toMatch(new RegExp(`^${name} `));
});
