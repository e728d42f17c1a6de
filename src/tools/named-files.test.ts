import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.mjs';

/** Finds file names in backquotes. Those of tests are relative to `src/` unless they begin with `e2e/`. */
const NAMED = /`((?!e2e\/artifacts)(?:src|e2e|deploy|docs|public)\/[\w./-]+|[\w/-]+\/[\w.-]+\.test\.tsx?)`/g;

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/*.md', { cwd: root })])(
  '%s names only files that exist',
  (file) => {
    const named = [...readFileSync(join(root, file), 'utf8').matchAll(NAMED)].map(([, path = '']) => path);
    const isThere = (path: string): boolean => existsSync(join(root, path)) || existsSync(join(root, 'src', path));
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  },
);
