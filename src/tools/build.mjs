import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runExclusively } from './exclusive.mjs';
import { hashOf } from './hash.mjs';
import { cacheFolderOf } from './paths.mjs';
import { runOnPinnedNode } from './pinned-node.mjs';
import { nextOf, recoverFolder, swapFolder } from './swap-folder.mjs';

const inputs = ['index.html', 'vite.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json', 'public', 'src'];
const notInTheApp = /^src\/(cli|evidence|files|server|sql|venue|testing|tools|serve\.ts)(\/|$)|\.test(-d)?\.tsx?$/;

/** @param {string} folder */
function stampFile(folder) {
  return join(folder, '.inputs');
}

/** @param {string} root */
function inputsHash(root) {
  return hashOf(root, inputs, (path) => !notInTheApp.test(path));
}

/**
 * @param {string} dist
 * @param {string} hash
 */
function isBuiltFrom(dist, hash) {
  try {
    return readFileSync(stampFile(dist), 'utf8') === hash;
  } catch {
    return false;
  }
}

/**
 * Builds aside and swaps at the end: a server that reads dist never sees half a build, and a build that fails leaves the
 * previous one in place.
 *
 * @param {string} root
 * @returns {Promise<number>} 0 when dist matches the sources
 */
async function build(root) {
  const dist = join(root, 'dist');
  const hash = inputsHash(root);
  if (isBuiltFrom(dist, hash)) return 0;
  recoverFolder(dist);
  console.log('perpdesk: building the app with Vite (only when its sources have changed)');
  const start = performance.now();
  const aside = join(cacheFolderOf(root), 'build');
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  const code = await runOnPinnedNode(root, [vite, 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', aside]);
  if (code !== 0) return code;
  swapIn(aside, dist, hash);
  console.log(`perpdesk: built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return 0;
}

/**
 * @param {string} built
 * @param {string} dist
 * @param {string} hash
 */
function swapIn(built, dist, hash) {
  mkdirSync(built, { recursive: true });
  writeFileSync(stampFile(built), hash);
  // The cache may be on another device, from which a rename is impossible.
  const beside = nextOf(dist);
  rmSync(beside, { recursive: true, force: true });
  cpSync(built, beside, { recursive: true });
  swapFolder(beside, dist);
}

/**
 * @param {string} root
 * @returns {Promise<number>} 0 when dist matches the sources
 */
export async function ensureBuilt(root) {
  // A finished build can be served from a read-only folder.
  if (isBuiltFrom(join(root, 'dist'), inputsHash(root))) return 0;
  return runExclusively(join(root, '.perpdesk', 'build.lock'), () => build(root));
}
