import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash.mjs';
import { cacheFolder, root } from './paths.mjs';
import { runTool } from './run-tool.ts';
import type { Outcome, Step } from './steps.ts';
import { runVitest } from './vitest-run.ts';

const linted = ['src', 'e2e', '.eslint.config.mjs', '.dependency-cruiser.mjs', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];

function tool(name: string): string {
  return join('node_modules', '.bin', name);
}

async function check(args: readonly string[]): Promise<Outcome> {
  const { code, output } = await runTool(args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, notRun: 0, output };
}

/**
 * What ESLint says of a file depends on the types in others, so its own cache, file by file, would miss what a change
 * elsewhere breaks. A cache for exactly this state of all sources is sound.
 */
function lintCache(): string {
  const caches = join(cacheFolder, 'eslint');
  const current = hashOf(root, linted, (path) => !/(^|\/)(node_modules|artifacts)$/.test(path));
  mkdirSync(caches, { recursive: true });
  for (const name of readdirSync(caches)) {
    if (name !== current) rmSync(join(caches, name), { force: true });
  }
  return join(caches, current);
}

function lint(): Promise<Outcome> {
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', lintCache()];
  return check([tool('eslint'), '-c', '.eslint.config.mjs', '--max-warnings', '0', ...cache, '.']);
}

async function bundle(): Promise<Outcome> {
  const built = await check([join('src', 'tools', 'launch.mjs'), 'build']);
  return built.failed === 0 ? check([tool('size-limit')]) : built;
}

const buildInfo = join(cacheFolder, 'tsc.tsbuildinfo');
const knip = [tool('knip'), '--treat-config-hints-as-errors', '--no-progress'];

/** Longest first, so that the lanes end together. */
export const verifySteps: readonly Step[] = [
  { name: 'lint', run: lint },
  { name: 'types', run: () => check([tool('tsc'), '-p', '.', '--incremental', '--tsBuildInfoFile', buildInfo]) },
  { name: 'unit tests', run: () => runVitest(['unit']) },
  { name: 'bundle budget', run: bundle },
  { name: 'dead code', run: () => check(knip) },
  { name: 'dead in production', run: () => check([...knip, '--production']) },
  { name: 'walls', run: () => check([join('src', 'tools', 'walls.ts')]) },
];
