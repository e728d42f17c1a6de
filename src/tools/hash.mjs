import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root
 * @param {string} path
 * @param {(path: string) => boolean} counts
 * @returns {string[]} the files at or below a path, in an order that is the same everywhere
 */
function filesBelow(root, path, counts) {
  if (!counts(path)) return [];
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`, counts));
}

/**
 * @param {string} root
 * @param {readonly string[]} paths files and folders; one that is not there counts as empty
 * @param {(path: string) => boolean} [counts] leave out a path, or a folder with everything in it
 * @returns {string} one hash over names and contents
 */
export function hashOf(root, paths, counts = () => true) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => filesBelow(root, each, counts))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
