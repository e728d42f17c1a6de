// Runs every check and every test to the end. One that fails, or cannot run, does not stop the others.
import { root } from './paths.mjs';
import { remembered, type Inputs } from './remembered.ts';
import { onAllCores, runBrowserTests, runComponentTests, runVitest } from './runners.ts';
import { runTests, type Step } from './steps.ts';
import { createVerifySteps } from './verify.ts';

const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'vitest.config.ts'];
const TESTS = /\.test(-d)?\.tsx?$/;

/** Whether a path is shared by tests, which excludes the component tests. */
const isShared = (path: string): boolean => path !== 'src/testing/component';

const ofExchange = ['src/venue/**', 'src/testing/earlier-version/venue.integration.test.ts'];
const ofExchangeInputs: Inputs = {
  paths: [...CONFIGURATION, 'src/venue', 'src/contract', 'src/sql', 'src/files', 'src/cli', 'src/testing'],
  counts: isShared,
};

const ofPackages = ['src/tools/{image,package}.integration.test.ts'];
const ofPackagesInputs: Inputs = {
  paths: [
    ...CONFIGURATION,
    'index.html',
    'public',
    'deploy',
    'docs',
    'CHANGELOG.md',
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'src',
  ],
  counts: (path) => isShared(path) && (!TESTS.test(path) || /^src\/tools\/(image|package)\./.test(path)),
};

function run(options: readonly string[]): Step['run'] {
  return () => runVitest(root, 'integration', [...onAllCores(1), ...options]);
}

/** All integration tests. Those whose inputs seldom change run again only after a change. */
const integrationTests: readonly Step[] = [
  { name: 'integration tests', run: run([...ofExchange, ...ofPackages].map((pattern) => `--exclude=${pattern}`)) },
  remembered(
    root,
    {
      name: 'tests of the exchange',
      run: run(['src/venue/', 'src/testing/earlier-version/venue.']),
    },
    ofExchangeInputs,
  ),
  remembered(
    root,
    { name: 'package and image', run: run(['src/tools/image.', 'src/tools/package.']) },
    ofPackagesInputs,
  ),
];

await runTests(createVerifySteps(root), [
  ...integrationTests,
  { name: 'tests of the checks', run: () => runVitest(root, 'checks', onAllCores()) },
  { name: 'component tests', run: () => runComponentTests(root) },
  { name: 'browser tests', run: () => runBrowserTests(root, ['--grep-invert', '@deploy']) },
]);
