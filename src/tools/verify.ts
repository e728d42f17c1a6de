import { lanes, terminalPort } from './command.ts';
import { root } from './paths.mjs';
import { runSteps } from './steps.ts';
import { failedNames, totalOf } from './summary.ts';
import { createVerifySteps } from './verify-steps.ts';

const port = terminalPort();
const start = port.clock();
const finished = await runSteps(createVerifySteps(root), lanes(), port);
const seconds = ((port.clock() - start) / 1000).toFixed(1);
const failed = failedNames(finished);
const { passed } = totalOf(finished);

console.log(
  failed.length === 0
    ? `verify: all ${String(finished.length)} steps passed (${String(passed)} checks and tests) in ${seconds} s`
    : `verify: ${String(failed.length)} of ${String(finished.length)} steps failed (${failed.join(', ')}) in ${seconds} s`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
