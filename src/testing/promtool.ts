import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** The folder is removed with node_modules, like everything that tools and tests may lose. */
const CACHE = join(root, 'node_modules', '.cache', 'perpdesk');
const APT_GET = '/usr/bin/apt-get';

/**
 * Returns the path of promtool: the machine's own, or that of the distribution's package "prometheus" (Debian and
 * derivatives), which is unpacked here without being installed, so that neither root nor a Prometheus server is needed.
 */
export function findPromtool(): string {
  const installed = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'promtool'));
  const unpacked = join(CACHE, 'prometheus', 'usr', 'bin', 'promtool');
  const found = [...installed, unpacked].find((path) => existsSync(path));
  if (found !== undefined) return found;
  unpack(join(CACHE, 'prometheus'));
  return unpacked;
}

/**
 * Unpacks the package. The folder is renamed once it is complete, so that two concurrent tests do not disturb each
 * other.
 */
function unpack(target: string): void {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'prometheus-'));
  try {
    // The package lists of a new machine are empty, and only root may update them.
    if (!download(folder)) {
      run(APT_GET, ['update'], folder);
      if (!download(folder))
        throw new Error(
          'promtool is missing, and apt-get cannot download the package "prometheus". Install ' +
            'Prometheus, or put promtool into a folder of PATH, and try again.',
        );
    }
    const [name = ''] = readdirSync(folder);
    if (!run('dpkg', ['-x', name, 'unpacked'], folder)) throw new Error(`${name} cannot be unpacked.`);
    if (!existsSync(target)) renameSync(join(folder, 'unpacked'), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function download(folder: string): boolean {
  return run(APT_GET, ['download', 'prometheus'], folder);
}

function run(program: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(program, args, { cwd, stdio: 'ignore' }).status === 0;
}
