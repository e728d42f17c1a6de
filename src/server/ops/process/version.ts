import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageFolder } from './package-folder.ts';

/** Of the package that runs. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(findPackageFolder(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
