import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The folder of the package that runs: of the repository, or of what was installed, where all code is in a few files. */
export function findPackageFolder(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('Perpdesk belongs to a package.');
  return dirname(manifest);
}
