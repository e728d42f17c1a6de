import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.mjs';

/** Finds file names in backquotes. Those of tests are relative to `src/` unless they begin with `e2e/`. */
const NAMED = /`((?!e2e\/artifacts)(?:src|e2e|deploy|docs|public)\/[\w./-]+|[\w/-]+\/[\w.-]+\.test\.tsx?)`/g;

const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'deploy/*/README.md'], { cwd: root });

/** Finds what links name: a file, relative to that of the link, or a heading. */
const LINKED = /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g;

/** Returns the anchors of the headings of a document, as GitHub derives them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = '']) => heading,
  );
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(DOCUMENTS)('%s links only to files and headings that exist', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const isThere = (path: string, anchor: string | undefined): boolean => {
    const target = path === '' ? join(root, file) : join(root, dirname(file), path);
    return existsSync(target) && (anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).has(anchor));
  };
  const broken = [...text.matchAll(LINKED)].filter(([, path = '', anchor]) => !isThere(path, anchor));
  expect(broken.map(([link]) => link)).toEqual([]);
});

// The pages about deployment also name files that their reader creates.
test.each(DOCUMENTS.filter((file) => !file.startsWith('deploy')))('%s names only files that exist', (file) => {
  const named = [...readFileSync(join(root, file), 'utf8').matchAll(NAMED)].map(([, path = '']) => path);
  const isThere = (path: string): boolean => existsSync(join(root, path)) || existsSync(join(root, 'src', path));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
