// A quick answer while you work: every check and unit test, the integration tests that the changes since a commit affect,
// and one path through each screen. Not a substitute for "npm test".
import { lanes, onAllCores, terminalPort } from './command.ts';
import { root } from './paths.mjs';
import { runBrowserTests } from './playwright-run.ts';
import { runSteps, type Step } from './steps.ts';
import { slowestOf, tableOf, totalLine, totalOf } from './summary.ts';
import { createVerifySteps } from './verify-steps.ts';
import { runVitest } from './vitest-run.ts';

const [since = 'HEAD~1'] = process.argv.slice(2);

const slowSteps: readonly Step[] = [
  { name: 'integration tests', run: () => runVitest(root, 'integration', [...onAllCores(), '--changed', since, '--passWithNoTests']) },
  { name: 'browser tests', run: () => runBrowserTests(root, ['--grep', '@quick']) },
];

const port = terminalPort();
const finished = [...(await runSteps(createVerifySteps(root), lanes(), port)), ...(await runSteps(slowSteps, 1, port))];
const total = totalOf(finished);
console.log(`\nThe slowest tests:\n${slowestOf(finished)}`);
console.log(`\n${tableOf(finished)}\n`);
console.log(totalLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
