import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOrCreateCredential } from './credential-file.ts';

const randomHex = (bytes: number): string => 'c4'.repeat(bytes);

describe('keepCredential', () => {
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

  it('gives the one that is kept, and makes no other', () => {
    const path = join(folder, 'credential');
    const made = readOrCreateCredential(path, randomHex);
    const text = readFileSync(path, 'utf8');
    expect(readOrCreateCredential(path, () => 'ff')).toEqual(made);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('does not overwrite a file that holds something else, and says what to do', () => {
    const path = join(folder, 'credential');
    writeFileSync(path, 'notes of mine');
    expect(() => readOrCreateCredential(path, randomHex)).toThrow(
      `${path} holds no credential; remove it, and another one is made.`,
    );
    expect(readFileSync(path, 'utf8')).toBe('notes of mine');
  });
});
