import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { hashOf } from './hash.mjs';
import { cacheFolderOf } from './paths.mjs';
import { runOnPinnedNode } from './pinned-node.mjs';

const inputs = ['index.html', 'vite.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json', 'public', 'src'];
const notInTheApp = /^src\/(gateway|venue|testing|tools|serve\.ts)(\/|$)|\.test(-d)?\.tsx?$/;

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

/** @param {string} dist */
function lastFolder(dist) {
  return `${dist}.last`;
}

/**
 * Builds aside and swaps at the end, so that a server reading dist never sees half a build and a failed one leaves the
 * last good one in place.
 *
 * @param {string} root
 * @returns {Promise<number>} 0 when dist is what the sources say
 */
async function build(root) {
  const dist = join(root, 'dist');
  const hash = inputsHash(root);
  if (isBuiltFrom(dist, hash)) return 0;
  // Who was ended in the middle of a swap left the last good one aside.
  if (!existsSync(dist) && existsSync(lastFolder(dist))) renameSync(lastFolder(dist), dist);
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
  // The cache may be on another device, from which nothing can be moved at once.
  const beside = `${dist}.next`;
  const last = lastFolder(dist);
  for (const left of [beside, last]) rmSync(left, { recursive: true, force: true });
  cpSync(built, beside, { recursive: true });
  setAside(dist, last);
  renameSync(beside, dist);
  rmSync(last, { recursive: true, force: true });
}

/**
 * @param {string} dist
 * @param {string} last
 */
function setAside(dist, last) {
  try {
    renameSync(dist, last);
  } catch {
    // There is none yet; or it came with a container's image, from which a folder cannot be moved, only removed.
    rmSync(dist, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @returns {Promise<number>} 0 when dist is what the sources say
 */
export async function ensureBuilt(root) {
  // What is built can be served from a folder that cannot be written to.
  if (isBuiltFrom(join(root, 'dist'), inputsHash(root))) return 0;
  return alone(join(root, '.perpdesk', 'build.lock'), () => build(root));
}
