import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSecretFile } from './source.ts';

function newFile(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-secret-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'token');
  writeFileSync(file, 'the secret\n');
  chmodSync(file, mode);
  return file;
}

describe('a file with a secret', () => {
  it.each([0o600, 0o400, 0o700])('that only its owner may access is read: mode %o', (mode) => {
    expect(readSecretFile(newFile(mode))).toEqual({ text: 'the secret\n' });
  });

  it.each([
    [0o666, '666'],
    [0o644, '644'],
    [0o640, '640'],
    [0o604, '604'],
    [0o620, '620'],
    [0o601, '601'],
  ])('that its group or others may access is refused unread, with the fix: mode %o', (mode, text) => {
    expect(readSecretFile(newFile(mode))).toEqual({
      problem: `other users may access (mode ${text}): run chmod 600 on it`,
    });
  });

  it('of systemd may be read by its group, which is how an access list shows', () => {
    for (const [mode, isRead] of [
      [0o440, true],
      [0o444, false],
    ] as const) {
      const file = newFile(mode);
      expect('text' in readSecretFile(file, dirname(file))).toBe(isRead);
      expect('text' in readSecretFile(file, join(dirname(file), 'other'))).toBe(false);
    }
  });

  it('that is missing, or a folder, cannot be read', () => {
    const file = newFile(0o600);
    chmodSync(join(file, '..'), 0o700);
    for (const path of [`${file}.gone`, join(file, '..')])
      expect(readSecretFile(path)).toEqual({ problem: 'cannot be read' });
  });
});
