import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from './hash.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-hash-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'a.ts'), 'one');
  writeFileSync(join(folder, 'src', 'b.ts'), 'two');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the hash over a tree', () => {
  test('stays while nothing changes', () => {
    expect(hashOf(folder, ['src'])).toBe(hashOf(folder, ['src']));
  });

  test.each([
    ['a content changes', 'a.ts', 'One'],
    ['a file is added', 'c.ts', ''],
  ])('changes when %s', (_, name, content) => {
    const before = hashOf(folder, ['src']);
    writeFileSync(join(folder, 'src', name), content);
    expect(hashOf(folder, ['src'])).not.toBe(before);
  });

  test('changes when text moves from one file into the next', () => {
    const before = hashOf(folder, ['src']);
    writeFileSync(join(folder, 'src', 'a.ts'), 'on');
    writeFileSync(join(folder, 'src', 'b.ts'), 'etwo');
    expect(hashOf(folder, ['src'])).not.toBe(before);
  });

  test('ignores what does not count, and takes a missing folder as empty', () => {
    const before = hashOf(folder, ['src', 'public'], (path) => path !== 'src/b.ts');
    writeFileSync(join(folder, 'src', 'b.ts'), 'other');
    expect(hashOf(folder, ['src'], (path) => path !== 'src/b.ts')).toBe(before);
  });
});
