import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { markInstalled } from './prepare.mjs';
import { root as liveRoot } from './paths.mjs';

/** A copy of this tree for a test to write in. */
export interface TemporaryCheckout {
  readonly root: string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly remove: (paths: Iterable<string>) => void;
  readonly dispose: () => void;
}

const notSources = /(^|\/)(node_modules|dist|artifacts|\.git|\.perpdesk)$/;
const cachesOfTools = /^\.(cache|vite|vitest)/;

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Links file by file. Through a symbolic link to the folder, tools would see packages outside the tree. */
function linkFolder(from: string, to: string, leftOut: RegExp): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.test(entry.name)) continue;
    if (entry.isDirectory()) linkFolder(source, target, leftOut);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

/** Copies the wanted sources of this tree, as they are now, and links the installed packages. */
export function createTemporaryCheckout(isWanted: (path: string) => boolean = () => true): TemporaryCheckout {
  const root = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  const filter = (source: string): boolean => {
    const path = relative(liveRoot, source);
    return !notSources.test(path) && isWanted(path);
  };
  cpSync(liveRoot, root, { recursive: true, filter });
  linkFolder(join(liveRoot, 'node_modules'), join(root, 'node_modules'), cachesOfTools);
  const remove = (paths: Iterable<string>): void => {
    for (const path of paths) rmSync(join(root, path), { recursive: true, force: true });
  };
  const write = (files: Readonly<Record<string, string>>): void => {
    // An existing file may be a link to the real one.
    remove(Object.keys(files));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  remove([join('node_modules', '.perpdesk-installed')]);
  markInstalled(root);
  return {
    root,
    write,
    remove,
    dispose: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
