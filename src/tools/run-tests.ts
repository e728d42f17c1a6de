import { loadavg } from 'node:os';
import { lanes, terminalPort } from './command.ts';
import { root } from './paths.mjs';
import { readProcessorSeconds, withProcessorTime } from './processor-time.ts';
import { runSteps, type Step } from './steps.ts';
import { slowestOf, tableOf, totalLine, totalOf } from './summary.ts';
import { createVerifySteps } from './verify-steps.ts';

/** Runs the checks side by side, then each slow step with the machine to itself; the last line counts everything. */
export async function runTests(
  slowSteps: readonly Step[],
  checks: readonly Step[] = createVerifySteps(root),
): Promise<void> {
  const port = terminalPort();
  const [start, [load = 0]] = [port.clock(), loadavg()];
  const finished = [
    ...(await runSteps(checks, lanes(), port)),
    ...(await runSteps(slowSteps.map(withProcessorTime), 1, port)),
  ];
  const total = totalOf(finished);
  console.log(`\nThe slowest tests:\n${slowestOf(finished)}`);
  console.log(`\n${tableOf(finished)}\n`);
  console.log(
    `${((port.clock() - start) / 60_000).toFixed(1)} minutes, ${readProcessorSeconds()?.toFixed(0) ?? 'unknown'} processor seconds; load before: ${load.toFixed(1)}`,
  );
  console.log(totalLine(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}
