import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';

/**
 * Returns the root folder of the package: the repository, or the installed package, whose code is bundled in a few
 * files.
 */
export function findPackageFolder(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('Perpdesk belongs to a package.');
  return dirname(manifest);
}

/** Returns the version of the running package. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(findPackageFolder(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
