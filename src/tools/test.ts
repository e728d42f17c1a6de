// Runs every check and every test to the end: one that fails, or cannot run, stops none of the others.
import { lanes, onAllCores, terminalPort } from './command.ts';
import { root } from './paths.mjs';
import { runBrowserTests } from './playwright-run.ts';
import { runSteps, type FinishedStep, type Step } from './steps.ts';
import { slowestOf, tableOf, totalLine, totalOf } from './summary.ts';
import { createVerifySteps } from './verify-steps.ts';
import { runVitest } from './vitest-run.ts';

/** These start servers and whole tools, so each part has the machine to itself. */
const slowSteps: readonly Step[] = [
  { name: 'integration tests', run: () => runVitest(root, 'integration', onAllCores()) },
  { name: 'tests of the checks', run: () => runVitest(root, 'checks', onAllCores()) },
  { name: 'browser tests', run: () => runBrowserTests(root) },
];

const port = terminalPort();
const finished: readonly FinishedStep[] = [
  ...(await runSteps(createVerifySteps(root), lanes(), port)),
  ...(await runSteps(slowSteps, 1, port)),
];
const total = totalOf(finished);
console.log(`\nThe slowest tests:\n${slowestOf(finished)}`);
console.log(`\n${tableOf(finished)}\n`);
console.log(totalLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
