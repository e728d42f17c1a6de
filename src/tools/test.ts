// Every check and every test, to the end: one that fails, or cannot run, stops none of the others.
import { lanes, terminalPort, totalOf } from './command.ts';
import { runBrowserTests } from './playwright-run.ts';
import { runSteps, type FinishedStep, type Step } from './steps.ts';
import { tableOf } from './summary.ts';
import { verifySteps } from './verify-steps.ts';
import { runVitest } from './vitest-run.ts';

/** These start servers and whole tools, so each has the machine to itself. */
const slowSteps: readonly Step[] = [
  { name: 'integration, checks', run: () => runVitest(['integration', 'checks']) },
  { name: 'browser', run: runBrowserTests },
];

const port = terminalPort();
const finished: FinishedStep[] = [
  ...(await runSteps(verifySteps, lanes(), port)),
  ...(await runSteps(slowSteps, 1, port)),
];
const { passed, failed } = totalOf(finished);
console.log(`\n${tableOf(finished)}\n`);
console.log(`${String(passed)} passed, ${String(failed)} failed`);
process.exitCode = failed === 0 ? 0 : 1;
