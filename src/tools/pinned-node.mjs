import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const oldestMajor = 24;

/** @param {string} root */
function pinnedNode(root) {
  return join(root, 'node_modules', '.bin', 'node');
}

/**
 * @param {string} root
 * @returns {string | undefined} a sentence when the pinned Node cannot be used
 */
export function pinnedNodeProblem(root) {
  const asked = spawnSync(pinnedNode(root), ['--version'], { encoding: 'utf8' });
  if (asked.error !== undefined || asked.status !== 0) {
    return `the pinned Node.js ${oldestMajor} (${pinnedNode(root)}) does not start; delete node_modules and try again.`;
  }
  const version = asked.stdout.trim().replace(/^v/, '');
  return Number.parseInt(version, 10) < oldestMajor
    ? `the pinned Node.js is ${version}, but ${oldestMajor} or newer is needed; delete node_modules and try again.`
    : undefined;
}

/**
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export function runOnPinnedNode(root, args) {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return run(pinnedNode(root), args, { cwd: root, env: { ...process.env, PATH: path } });
}
