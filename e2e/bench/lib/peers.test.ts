import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../src/tools/paths.mjs';

const folder = join(root, 'e2e', 'bench');

function toDependencies(file: string): string[] {
  const read = JSON.parse(readFileSync(file, 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, string>> | undefined>
  >;
  return Object.keys({ ...read['dependencies'], ...read['devDependencies'] });
}

/**
 * Once the peers are installed, TypeScript finds their own types: a part that is missing here would first fail in a
 * fresh clone.
 */
it('has types of its own for each peer, as peers are not installed with the product', () => {
  const ours = new Set(toDependencies(join(root, 'package.json')));
  const declared = globSync('*/**/peers.d.ts', { cwd: folder, exclude: ['node_modules'] })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const peers = toDependencies(join(folder, 'package.json')).filter((name) => !ours.has(name));
  expect(peers.length).toBeGreaterThan(5);
  expect(peers.filter((name) => !declared.includes(`declare module '${name}'`))).toEqual([]);
});
