// Runs every check and every test to the end: one that fails, or cannot run, stops none of the others.
import { onAllCores } from './command.ts';
import { integrationTests } from './integration-tests.ts';
import { root } from './paths.mjs';
import { runBrowserTests, runComponentTests } from './playwright-run.ts';
import { runTests } from './run-tests.ts';
import { runVitest } from './vitest-run.ts';

await runTests([
  ...integrationTests,
  { name: 'tests of the checks', run: () => runVitest(root, 'checks', onAllCores()) },
  { name: 'component tests', run: () => runComponentTests(root) },
  { name: 'browser tests', run: () => runBrowserTests(root, ['--grep-invert', '@deploy']) },
]);
