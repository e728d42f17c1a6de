import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tree of this program as a later version would have it. */
export interface LaterVersion {
  readonly tree: string;
  readonly remove: () => void;
}

/** What is at its place in a file instead. */
type Change = readonly [file: string, before: string, after: string];

const root = join(import.meta.dirname, '..', '..', '..');

/** Copies this program with changes, and with an app whose files have other names, as each build gives them. */
export function createLaterVersion(version: string, changes: readonly Change[]): LaterVersion {
  const tree = mkdtempSync(join(tmpdir(), 'perpdesk-later-'));
  for (const part of ['package.json', 'src']) cpSync(join(root, part), join(tree, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  renameApp(join(root, 'dist'), join(tree, 'dist'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...manifest, version }));
  for (const [file, before, after] of changes) {
    const text = readFileSync(join(tree, file), 'utf8');
    if (!text.includes(before)) throw new Error(`${file} does not have: ${before}`);
    writeFileSync(join(tree, file), text.replaceAll(before, after));
  }
  return {
    tree,
    remove: () => {
      rmSync(tree, { recursive: true, force: true });
    },
  };
}

const HASHED = /-([\w-]{8})(?=\.(?:js|css|woff2)\b)/g;

/** Turns the hash in each name around, wherever the app mentions it, and leaves out the compressed forms. */
function renameApp(from: string, to: string): void {
  const rename = (text: string): string =>
    text.replaceAll(HASHED, (_, hash: string) => `-${Array.from(hash).toReversed().join('')}`);
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, rename(entry.name))];
    if (entry.isDirectory()) renameApp(source, target);
    else if (/\.(?:html|js|css|json)$/.test(entry.name)) writeFileSync(target, rename(readFileSync(source, 'utf8')));
    else if (!/\.(?:br|gz)$/.test(entry.name)) cpSync(source, target);
  }
}
