import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from './paths.mjs';

const [definitions = '', retired = ''] = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split('## Retired words');

const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Word|Retired) \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const TICKED = /`(?<name>[^`]+)`/g;
const retiredWords = rowsOf(retired).flatMap(([words = '']) =>
  [...words.matchAll(TICKED)].map(({ groups }) => groups?.['name'] ?? ''),
);

/** Retired as the end of a longer name (`…Parts`), as a part of one (`RuleBook`), or as a word of its own (`refusal`). */
function isRetired(identifier: string, word: string): boolean {
  if (word.startsWith('…'))
    return /^[A-Z]/.test(identifier) && identifier.length >= word.length && identifier.endsWith(word.slice(1));
  if (/^[A-Z]/.test(word)) return identifier.toLowerCase().includes(word.toLowerCase()) && !identifier.includes('_');
  const words = identifier.split(/(?=[A-Z][a-z])|_/).map((one) => one.toLowerCase());
  return !isField(identifier) && words.some((one) => one === word || one === `${word}s`);
}

/** Fields of the interface, the API and the store are snake_case. */
function isField(identifier: string): boolean {
  return /^[a-z]+(?:_[a-z]+)+$/.test(identifier);
}

function identifiersOf(file: string, code: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, false));
  return found;
}

/** Options of commands keep their names. */
const OPTIONS: ReadonlySet<string> = new Set([
  ...['src/tools/launch.mjs', 'src/desks/run-desks.ts'].map((file) => `${file}: gateway`),
  ...['main', 'settings', 'settings.test'].map((name) => `src/venue/conformance/${name}.ts: gateway`),
]);

const mayContain = new RegExp(retiredWords.map((word) => word.replace('…', '')).join('|'), 'i');

/** Most files contain no such word, and need not be parsed. */
const findRetired = (file: string, code: string): readonly string[] =>
  [...(mayContain.test(code) ? identifiersOf(file, code) : [])]
    .filter((identifier) => retiredWords.some((word) => isRetired(identifier, word)))
    .map((identifier) => `${file}: ${identifier}`)
    .filter((found) => !OPTIONS.has(found));

describe('the glossary', () => {
  it('defines each word once, with a meaning', () => {
    const rows = rowsOf(definitions);
    const words = rows.flatMap(([word = '']) => word.split(', '));
    expect(words.length).toBeGreaterThan(200);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    expect(rows.filter((row) => row.length !== 3 || row[2] === '')).toEqual([]);
  });

  it('names the words that are retired, and defines none of them', () => {
    expect(retiredWords.length).toBeGreaterThan(8);
    const words = new Set(rowsOf(definitions).map(([word = '']) => word));
    expect(retiredWords.filter((word) => words.has(word))).toEqual([]);
  });
});

describe('an identifier', () => {
  it('contains no retired word', () => {
    const files = globSync('{src,e2e}/**/*.{ts,tsx,mjs}', {
      cwd: root,
      exclude: ['**/node_modules/**', 'e2e/artifacts/**'],
    });
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.toSorted().flatMap((file) => findRetired(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['const lastRefusal = 1;', 'lastRefusal'],
    ['const refusals = 1;', 'refusals'],
    ['const MOST_REFUSALS = 1;', 'MOST_REFUSALS'],
    ['function startGateway() {}', 'startGateway'],
    ['interface FeedParts {}', 'FeedParts'],
    ['const createRuleBook = 1;', 'createRuleBook'],
  ])('is found in %s', (code, identifier) => {
    expect(findRetired('a.ts', code)).toEqual([`a.ts: ${identifier}`]);
  });

  it.each([
    'const readInParts = 1;',
    'const parts = 1;',
    'const row = { last_refusal: 1 };',
    "const name = 'gateway';",
  ])('of other words, a field or a text is not: %s', (code) => {
    expect(findRetired('a.ts', code)).toEqual([]);
  });
});
