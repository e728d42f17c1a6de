import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './paths.mjs';
import { findDialect, findDialectInComments } from './plain-words.ts';

/** Everything with texts for a screen, the output of a command, an e-mail or a document. */
const SOURCES = 'src/**/*.{ts,tsx,mjs}';
const UNSEEN = ['src/testing/**', 'src/**/*.{test,test-d}.{ts,tsx}', 'src/tools/plain-words.ts'];

/** Texts that contain such a word and are not dialect. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['src/model/tables/orders/exposure.ts: Underlying notional of the account’s asks.', 'Orders to sell are asks.'],
  ['src/model/tables/orders/exposure.ts: Bids and asks together.', 'Orders to sell are asks.'],
  [
    'src/page/screens/orders/list-state/list-query.ts: More filled than asked',
    'Links of earlier versions contain it, and no screen shows it.',
  ],
  ['src/page/kit/heatmap/paint-heatmap.ts: %, var(--nobody-pays))', 'This is the name of a colour.'],
  ['src/page/shell/notices/alert-badge.tsx: perpdesk.alerts-heard-until', 'This is a name in the storage of browsers.'],
  ['src/server/web/request-limits.ts: nobody', 'This is a value of a type.'],
  ['src/server/web/request-limits.ts: somebody', 'This is a value of a type.'],
]);

const files = globSync(SOURCES, { cwd: root, exclude: UNSEEN })
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted();
const found = files.flatMap((file) => findDialect(file, readFileSync(join(root, file), 'utf8')));

describe('the texts of the sources', () => {
  it('are plain', () => {
    const unknown = found.filter(({ file, text }) => !ALLOWED.has(`${file}: ${text}`));
    expect(unknown.map(({ file, line, text }) => `${file}:${String(line)}: ${text}`)).toEqual([]);
  });

  it('are read in every folder that has some', () => {
    const folders = new Set(files.map((file) => file.split('/')[1]));
    for (const folder of ['cli', 'contract', 'evidence', 'files', 'model', 'page', 'server', 'sql', 'tools', 'venue'])
      expect(folders).toContain(folder);
  });

  it('contain all that is allowed', () => {
    const texts = new Set(found.map(({ file, text }) => `${file}: ${text}`));
    expect([...ALLOWED.keys()].filter((text) => !texts.has(text))).toEqual([]);
  });
});

describe('the comments of sources, styles and tests', () => {
  const all = globSync(['{src,e2e}/**/*.{ts,tsx,mjs,css}', '*.config.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'e2e/artifacts/**', 'src/tools/plain-words*'],
  });

  it('are plain', () => {
    expect(all.length).toBeGreaterThan(1_500);
    const words = all.toSorted().flatMap((file) => findDialectInComments(file, readFileSync(join(root, file), 'utf8')));
    expect(words.map(({ file, line, text }) => `${file}:${String(line)}: ${text}`)).toEqual([]);
  });

  it.each(['// Whoever reads it.', '/** It told us. */', ' * By now, it is gone.', 'const a = 1; // somebody else’s'])(
    'are found with their line: %s',
    (line) => {
      expect(findDialectInComments('a.ts', `const told = 'told';\n${line}\n`)).toMatchObject([
        { file: 'a.ts', line: 2 },
      ]);
    },
  );
});

describe('a word that the field does not use', () => {
  it.each([
    ['a string', "export const title = 'The exchange told us.';"],
    ['a string in double quotes', 'export const title = "The exchange told us.";'],
    ['a template', 'export const title = `The exchange told us.`;'],
    ['the beginning of a template', 'export const title = (name: string) => `The exchange told ${name}.`;'],
    ['the middle of a template', 'export const title = (name: string) => `${name} told ${name}.`;'],
    ['the end of a template', 'export const title = (name: string) => `${name} told us.`;'],
    ['a template with a tag', 'export const title = String.raw`The exchange told us.`;'],
    ['a JSX text', 'export const title = <p>The exchange told us.</p>;'],
    ['a JSX attribute', 'export const title = <p title="The exchange told us." />;'],
    ['the value of a key', "export const titles = { refused: 'The exchange told us.' };"],
    ['an argument', "throw new Error('The exchange told us.');"],
    ['a text for one of two cases', "export const title = Math.random() < 0.5 ? 'Told.' : '';"],
  ])('is found in %s, with its file and line', (_, code) => {
    expect(findDialect('src/page/screens/some.tsx', `// A remark.\n${code}\n`)).toMatchObject([
      { file: 'src/page/screens/some.tsx', line: 2 },
    ]);
  });

  it.each([
    'tell',
    'tells',
    'told',
    'teller',
    'hear',
    'heard',
    'asked',
    'asks',
    'of late',
    'somebody',
    'Nobody',
    'complained',
    'believed',
  ])('can be “%s”', (word) => {
    expect(findDialect('some.ts', `export const title = 'One ${word} two';`)).toHaveLength(1);
  });

  it('is found where a line breaks within it, and named by the line on which it is', () => {
    expect(
      findDialect('some.tsx', 'export const title = (\n  <p>\n    The rates are high of\n    late.\n  </p>\n);\n'),
    ).toEqual([{ file: 'some.tsx', line: 3, text: 'The rates are high of late.' }]);
  });

  it.each([
    ['a comment', '// Nobody told us.'],
    ['an identifier', 'export const told = 1;'],
    ['part of a longer word', "export const title = 'untold, hearing, tasks';"],
    ['the path of an import', "import { title } from './told.ts';"],
    ['the path of an export', "export { title } from './told.ts';"],
    ['a type', "export type Sender = 'nobody' | 'one';"],
    ['a key', "export const one = { 'nobody': 1 };"],
    ['a key that is read', "export const one = all['nobody'];"],
    ['the name of a class', 'export const title = <p className="nobody">One</p>;'],
  ])('is no matter in %s', (_, code) => {
    expect(findDialect('some.tsx', code)).toEqual([]);
  });
});
