import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** No system assigns this id to a user, so it owns nothing outside the container. */
export const CONTAINER_USER = 65_532;
const HOME = '/opt/perpdesk';
const PACKAGE_FOLDER = `${HOME}/node_modules/perpdesk`;
export const PROGRAM = `${PACKAGE_FOLDER}/lib/perpdesk.js`;
export const NODE = '/usr/bin/node';
export const DATA_FOLDER = '/data';
export const TEMPORARY_FOLDER = '/tmp';

/** Writes what Node.js needs from an operating system: itself, the libraries that it is linked with, and a user. */
export function writeRuntime(folder: string): void {
  copyInto(folder, realpathSync(process.execPath), NODE);
  for (const library of librariesOf(process.execPath)) copyInto(folder, realpathSync(library), library);
  const user = `perpdesk:x:${String(CONTAINER_USER)}:${String(CONTAINER_USER)}`;
  writeInto(folder, '/etc/passwd', `root:x:0:0:root:/:/nonexistent\n${user}:Perpdesk:${DATA_FOLDER}:/nonexistent\n`);
  writeInto(folder, '/etc/group', `root:x:0:\nperpdesk:x:${String(CONTAINER_USER)}:\n`);
}

/** Creates the temporary folder. Engines give what they mount there the mode of this folder. */
export function writeTemporary(folder: string): void {
  mkdirSync(join(folder, TEMPORARY_FOLDER));
}

/** Creates the empty data folder. What is stored there outlives the container if it is a volume. */
export function writeData(folder: string): void {
  mkdirSync(join(folder, DATA_FOLDER), { recursive: true });
}

/** Installs the packed Perpdesk and the packages that it depends on, in the versions that it was tested with. */
export function writeProgram(folder: string, tarball: string, root: string): void {
  const target = join(folder, PACKAGE_FOLDER);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  for (const name of dependenciesOf(target, root))
    cpSync(join(root, 'node_modules', name), join(folder, HOME, 'node_modules', name), {
      recursive: true,
      dereference: true,
    });
}

/** Returns the names of all packages that a package depends on, directly or indirectly. */
function dependenciesOf(folder: string, root: string, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    const path = join(root, 'node_modules', name);
    // Otherwise the package is inside the one that needs it and is copied with that.
    if (found.has(name) || !existsSync(path)) continue;
    found.add(name);
    dependenciesOf(path, root, found);
  }
  return found;
}

/** Returns the paths of libraries where the loader finds them: `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)`. */
function librariesOf(program: string): readonly string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...listed.matchAll(/(?:^|\s)(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

function copyInto(folder: string, source: string, path: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  cpSync(source, join(folder, path));
}

function writeInto(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
