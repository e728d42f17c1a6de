import { globSync, statSync } from 'node:fs';

/** What all files of a folder take. */
export function bytesOf(folder: string): number {
  return globSync(`${folder}/*`).reduce((sum, file) => sum + statSync(file).size, 0);
}
