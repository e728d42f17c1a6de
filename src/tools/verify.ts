import { join } from 'node:path';
import { cacheFolderOf, root as ownRoot } from './paths.mjs';
import { runTool, runVitest } from './runners.ts';
import { hasPassed, lanes, passedOf, runSteps, terminalPort, type Outcome, type Step } from './steps.ts';

const knip = [tool('knip'), '--treat-config-hints-as-errors', '--no-progress'];

function tool(name: string): string {
  return join('node_modules', '.bin', name);
}

async function check(root: string, args: readonly string[]): Promise<Outcome> {
  const { code, output } = await runTool(root, args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, failures: [], notRun: [], output };
}

/**
 * Checks the types with the native compiler. Other tools need the one in JavaScript, which they are written against.
 */
function types(root: string): Promise<Outcome> {
  const buildInfo = join(cacheFolderOf(root), 'tsc.tsbuildinfo');
  const compiler = join('node_modules', 'typescript-7', 'bin', 'tsc');
  return check(root, [compiler, '-p', '.', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', buildInfo]);
}

async function bundle(root: string): Promise<Outcome> {
  const built = await check(root, [join('src', 'tools', 'launch.mjs'), 'build']);
  return built.failed === 0 ? check(root, [tool('size-limit')]) : built;
}

/** Returns the checks of a tree, slowest first, so that the lanes end together. */
export function createVerifySteps(root: string): readonly Step[] {
  return [
    { name: 'unit tests', run: () => runVitest(root, 'unit') },
    { name: 'types', run: () => types(root) },
    { name: 'lint', run: () => check(root, [tool('oxlint'), '--deny-warnings']) },
    { name: 'format', run: () => check(root, [tool('oxfmt'), '--check']) },
    { name: 'order of texts', run: () => check(root, [join('src', 'tools', 'text-order.ts')]) },
    { name: 'bundle budget', run: () => bundle(root) },
    { name: 'dead code', run: () => check(root, knip) },
    { name: 'dead in production', run: () => check(root, [...knip, '--production']) },
    { name: 'walls', run: () => check(root, [join('src', 'tools', 'walls.ts')]) },
  ];
}

async function verify(): Promise<void> {
  const port = terminalPort();
  const start = port.clock();
  const finished = await runSteps(createVerifySteps(ownRoot), lanes(), port);
  const seconds = ((port.clock() - start) / 1000).toFixed(1);
  const failed = finished.filter((step) => !hasPassed(step)).map(({ name }) => name);
  console.log(
    failed.length === 0
      ? `verify: all ${String(finished.length)} steps passed (${String(passedOf(finished))} checks and ` +
          `tests) in ${seconds} s`
      : `verify: ${String(failed.length)} of ${String(finished.length)} steps failed ` +
          `(${failed.join(', ')}) in ${seconds} s`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (import.meta.main) await verify();
