import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash.mjs';
import { cacheFolderOf } from './paths.mjs';
import { runTool } from './run-tool.ts';
import type { Outcome, Step } from './steps.ts';
import { runVitest } from './vitest-run.ts';

const linted = ['src', 'e2e', '.eslint.config.mjs', '.dependency-cruiser.mjs', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];
const knip = [tool('knip'), '--treat-config-hints-as-errors', '--no-progress'];

function tool(name: string): string {
  return join('node_modules', '.bin', name);
}

async function check(root: string, args: readonly string[]): Promise<Outcome> {
  const { code, output } = await runTool(root, args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, failures: [], notRun: [], output };
}

/**
 * ESLint's result for a file depends on types in other files, so its own cache, file by file, would miss what a change
 * elsewhere breaks. A cache for exactly this state of all sources is sound.
 */
function lintCache(root: string): string {
  const caches = join(cacheFolderOf(root), 'eslint');
  const current = hashOf(root, linted, (path) => !/(^|\/)(node_modules|artifacts)$/.test(path));
  mkdirSync(caches, { recursive: true });
  for (const name of readdirSync(caches)) {
    if (name !== current) rmSync(join(caches, name), { force: true });
  }
  return join(caches, current);
}

function lint(root: string): Promise<Outcome> {
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', lintCache(root)];
  return check(root, [tool('eslint'), '-c', '.eslint.config.mjs', '--max-warnings', '0', ...cache, '.']);
}

/** By the native compiler; the linter and other tools need the one in JavaScript, which they are written against. */
function types(root: string): Promise<Outcome> {
  const buildInfo = join(cacheFolderOf(root), 'tsc.tsbuildinfo');
  const compiler = join('node_modules', 'typescript-7', 'bin', 'tsc');
  return check(root, [compiler, '-p', '.', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', buildInfo]);
}

async function bundle(root: string): Promise<Outcome> {
  const built = await check(root, [join('src', 'tools', 'launch.mjs'), 'build']);
  return built.failed === 0 ? check(root, [tool('size-limit')]) : built;
}

/** The checks of a tree; the slowest first, so that the lanes end together. */
export function createVerifySteps(root: string): readonly Step[] {
  return [
    { name: 'lint', run: () => lint(root) },
    { name: 'types', run: () => types(root) },
    { name: 'unit tests', run: () => runVitest(root, 'unit') },
    { name: 'bundle budget', run: () => bundle(root) },
    { name: 'dead code', run: () => check(root, knip) },
    { name: 'dead in production', run: () => check(root, [...knip, '--production']) },
    { name: 'walls', run: () => check(root, [join('src', 'tools', 'walls.ts')]) },
  ];
}
