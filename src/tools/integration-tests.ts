import { onMoreThanAllCores } from './command.ts';
import { root } from './paths.mjs';
import { remembered, type Inputs } from './remembered.ts';
import type { Step } from './steps.ts';
import { runVitest } from './vitest-run.ts';

const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'vitest.config.ts'];
const TESTS = /\.test(-d)?\.tsx?$/;

/** Of what tests share, all but the component tests. */
const isShared = (path: string): boolean => path !== 'src/testing/component';

const ofExchange = ['src/venue/**', 'src/testing/earlier-version/venue.integration.test.ts'];
const ofExchangeInputs: Inputs = {
  paths: [...CONFIGURATION, 'src/venue', 'src/contract', 'src/sql', 'src/files', 'src/cli', 'src/testing'],
  counts: isShared,
};

const ofPackages = ['src/tools/{image,package}.integration.test.ts'];
const ofPackagesInputs: Inputs = {
  paths: [...CONFIGURATION, 'index.html', 'public', 'deploy', 'docs', 'CHANGELOG.md', 'README.md', 'LICENSE', 'src'],
  counts: (path) => isShared(path) && (!TESTS.test(path) || /^src\/tools\/(image|package)\./.test(path)),
};

function run(options: readonly string[]): Step['run'] {
  return () => runVitest(root, 'integration', [...onMoreThanAllCores(), ...options]);
}

/** All of them; those whose inputs seldom change need not run again. */
export const integrationTests: readonly Step[] = [
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
