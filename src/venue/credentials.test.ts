import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCredential, readOrCreateCredential } from './credentials.ts';

const TOKEN = '0123456789abcdef'.repeat(4);
const randomHex = (bytes: number): string => 'c4'.repeat(bytes);

describe('readOrCreateCredential', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'venue-credential-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('makes a credential for all accounts, in a file that only its owner can read', () => {
    const path = join(folder, 'deep', 'credential');
    expect(readOrCreateCredential(path, randomHex)).toEqual({
      connectionId: 'c4'.repeat(8),
      token: 'c4'.repeat(32),
      accounts: null,
    });
    expect([path, join(folder, 'deep')].map((made) => statSync(made).mode & 0o777)).toEqual([0o600, 0o700]);
  });

  it('reads the credential that the file holds and makes no other', () => {
    const path = join(folder, 'credential');
    const made = readOrCreateCredential(path, randomHex);
    const text = readFileSync(path, 'utf8');
    expect(readOrCreateCredential(path, () => 'ff')).toEqual(made);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('does not overwrite a file that holds something else, and says what to do', () => {
    const path = join(folder, 'credential');
    writeFileSync(path, 'notes of mine', { mode: 0o600 });
    expect(() => readOrCreateCredential(path, randomHex)).toThrow(
      `${path} holds no credential. Remove it to have a new one made.`,
    );
    expect(readFileSync(path, 'utf8')).toBe('notes of mine');
  });

  it.each([0o640, 0o604, 0o666])('refuses a file that other users can read or write: mode %o', (mode) => {
    const path = join(folder, 'credential');
    readOrCreateCredential(path, randomHex);
    chmodSync(path, mode);
    expect(() => readOrCreateCredential(path, randomHex)).toThrow(
      `Other users have access to the file ${path} (mode ${mode.toString(8)}): run "chmod 600 ${path}".`,
    );
  });
});

describe('parseCredential', () => {
  it.each([
    ['no token', '3f'],
    ['a token that is too short', `3f:${TOKEN.slice(1)}`],
    ['a connection that is not hexadecimal', `xyz:${TOKEN}`],
    ['an account without a name', `3f:${TOKEN}:HALC-101,`],
    ['something after the accounts', `3f:${TOKEN}:HALC-101:more`],
  ])('rejects %s', (_, text) => {
    expect(parseCredential(text)).toBeUndefined();
  });
});
