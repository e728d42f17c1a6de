import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { offerLinkKey, openLinkKey } from './link-key.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-key-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('creates a key that only its owner can read, and finds it again', () => {
  const key = openLinkKey(folder);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(openLinkKey(folder)).toBe(key);
  expect(readdirSync(folder)).toEqual(['link-key']);
  expect(statSync(join(folder, 'link-key')).mode & 0o777).toBe(0o600);
});

it('offers the key of the folder for a database, or a new one that the folder does not keep', () => {
  expect(offerLinkKey(folder)).toMatch(/^[0-9a-f]{64}$/);
  expect(readdirSync(folder)).toEqual([]);
  expect([openLinkKey(folder)]).toEqual([offerLinkKey(folder)]);
});

it('completes a key that an earlier start left unfinished', () => {
  writeFileSync(join(folder, 'link-key.new'), '12');
  expect(openLinkKey(folder)).toMatch(/^[0-9a-f]{64}$/);
});

it('says what to do about a file that is no key, or that others can read', () => {
  const file = join(folder, 'link-key');
  writeFileSync(file, 'short', { mode: 0o600 });
  expect(() => openLinkKey(folder)).toThrow(`${file} does not contain the key of links: delete it.`);
  chmodSync(file, 0o644);
  expect(() => openLinkKey(folder)).toThrow(
    `The key of links is in ${file}, which other users may access (mode 644): run chmod 600 on it.`,
  );
});
