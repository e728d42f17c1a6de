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
