import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

interface Package {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (folder: string): Package => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;

/** Packs Perpdesk; returns the path of the package. */
export function packPerpdesk(): string {
  execFileSync(process.execPath, ['src/tools/launch.mjs', 'package'], { cwd: root, stdio: 'pipe' });
  return join(root, `perpdesk-${read(root).version ?? ''}.tgz`);
}

/**
 * Unpacks the package into a folder, with what npm would install with it, taken from the installed packages of the
 * repository. Nothing for development is included. Copies can be read by users who cannot read the repository.
 */
export function installPackage(file: string, folder: string, dependencies: 'linked' | 'copied'): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '--no-same-owner', '-C', folder]);
  const installed = new Set<string>();
  const waiting = namesOf(folder);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (installed.has(name)) continue;
    installed.add(name);
    const [source, target] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)];
    mkdirSync(dirname(target), { recursive: true });
    if (dependencies === 'linked') symlinkSync(source, target);
    else cpSync(source, target, { recursive: true });
    waiting.push(...namesOf(source));
  }
}

const namesOf = (folder: string): string[] => Object.keys(read(folder).dependencies ?? {});
