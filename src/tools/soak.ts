// Runs what takes too long for every run: many rounds of the tests that kill processes or generate their input, and
// then an attack that lasts minutes.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '#cli/run.mjs';
import { root } from './paths.mjs';
import { hasPassed } from './steps.ts';
import { runVitest } from './runners.ts';

const repeated = globSync('src/**/*.integration.test.ts', { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('#testing/how-many.ts'),
);
const outcome = await runVitest(root, 'integration', repeated, { PERPDESK_SOAK: '1' });
console.log(outcome.output);
console.log(`soak: ${String(outcome.passed)} repeated tests passed, ${String(outcome.failed)} failed`);
const code = await run(process.execPath, [join('src', 'testing', 'soak', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
});
process.exitCode = hasPassed(outcome) ? code : 1;
