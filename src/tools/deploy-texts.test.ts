import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATA_FOLDER, NODE, PROGRAM } from './image-root.ts';
import { root } from './paths.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const read = (...path: readonly string[]): string => readFileSync(join(root, 'deploy', ...path), 'utf8');

it('the composition of containers names the image, its program and its data folder', () => {
  const compose = read('container', 'compose.yaml');
  expect(compose).toContain(`image: perpdesk:${version}\n`);
  expect(compose).toContain(`test: [CMD, ${NODE}, ${PROGRAM}, health]\n`);
  expect(compose).toContain(`data:${DATA_FOLDER}\n`);
});

it('the compositions of one desk and of several differ in nothing but what several need', () => {
  const [one, several] = [read('container', 'compose.yaml'), read('container', 'desks.yaml')];
  const settingsIn = (text: string) =>
    new Set(Array.from(text.matchAll(/^ +(?:# )?(DESK_\w+):/gm), ([, name]) => name));
  for (const text of ['image: perpdesk:', 'user:', 'read_only:', 'cap_drop: [ALL]', 'stop_grace_period:', 'test: [CMD'])
    for (const lines of [one, several].map((each) => each.split('\n').filter((line) => line.includes(text))))
      expect(lines.map((line) => line.trim())).toContain(
        one
          .split('\n')
          .find((line) => line.includes(text))
          ?.trim(),
      );
  expect([...settingsIn(several)].filter((name) => !settingsIn(one).has(name))).toEqual(['DESK_DATABASE_URL_FILE']);
  const desks = Array.from(several.matchAll(/^ {2}(desk-\d):$/gm), ([, name = '']) => name);
  expect(desks).toHaveLength(3);
  expect(read('container', 'Caddyfile.desks')).toContain(
    `reverse_proxy ${desks.map((name) => `${name}:8080`).join(' ')} {`,
  );
});

it('the units of one desk and of several differ in nothing but what several need', () => {
  const linesOf = (name: string): ReadonlySet<string> =>
    new Set(
      read('systemd', name)
        .split('\n')
        .filter((line) => /^[A-Z]\w+=/.test(line)),
    );
  const [one, several] = [linesOf('perpdesk.service'), linesOf('perpdesk@.service')];
  expect([...one].filter((line) => !several.has(line)).map((line) => line.split('=')[0])).toEqual([
    ...['Description', 'Documentation', 'After', 'ExecStart', 'EnvironmentFile', 'Environment'],
    ...['StateDirectory', 'LogsDirectory', 'LogsDirectoryMode'],
  ]);
});

it.each([['container'], ['systemd']])('the page of %s names the version of the package', (name) => {
  const named = [...read(name, 'README.md').matchAll(/perpdesk-(\d+\.\d+\.\d+)/g)].map(([, found]) => found);
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set([version]));
});

it('the changelog begins with the version of the package, or with what is unreleased', () => {
  const headings = [
    ...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## \[?([^\]\n]+?)\]?(?: - (\d{4}-\d\d-\d\d))?$/gm),
  ];
  expect(['Unreleased', version]).toContain(headings[0]?.[1]);
  expect(headings.every(([, name, date]) => name === 'Unreleased' || date !== undefined)).toBe(true);
});
