import { globSync, statSync } from 'node:fs';

/** Returns the size of all files in a folder. */
export function bytesOf(folder: string): number {
  return globSync(`${folder}/*`).reduce((sum, file) => sum + statSync(file).size, 0);
}
