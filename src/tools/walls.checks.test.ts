// Tests the walls: each rule is broken once, and the output must name the rule and its reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import configuration from '../../.dependency-cruiser.mjs';
import type { Outcome } from './steps.ts';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';
import { createVerifySteps } from './verify.ts';

type Files = Readonly<Record<string, string>>;

let checkout: TemporaryCheckout;

function walls(): Promise<Outcome> {
  const step = createVerifySteps(checkout.root).find(({ name }) => name === 'walls');
  if (step === undefined) throw new Error('verify has no step "walls"');
  return step.run();
}

const target = 'export type Target = 1;\n';
const TARGETS = ['model', 'page/client', 'page/screens', 'server/core', 'server/people', 'tools', 'venue'];
const targets: Files = Object.fromEntries(TARGETS.map((room) => [`src/${room}/wall-target.ts`, target]));

function typeFrom(path: string): string {
  return `import type { Target } from '${path}';\nexport type Taken = Target;\n`;
}

/** Breaks the wall of a folder by a type alone. */
function breach(wall: string, folder: string, path: string): Record<string, Files> {
  return { [`${wall}-wall`]: { [`${folder}wall-breach.ts`]: typeFrom(path) } };
}

/** What breaks each rule. The output must name the first file of each. */
const breaches: Readonly<Record<string, Files>> = {
  ...breach('contract', 'src/contract/', '#server/core/wall-target.ts'),
  ...breach('model', 'src/model/', '#page/client/wall-target.ts'),
  ...breach('client', 'src/page/client/', '#server/core/wall-target.ts'),
  ...breach('kit', 'src/page/kit/', '#model/wall-target.ts'),
  ...breach('panels', 'src/page/panels/', '#page/screens/wall-target.ts'),
  ...breach('screens', 'src/page/screens/some/', '#server/core/wall-target.ts'),
  ...breach('shell', 'src/page/shell/', '#server/core/wall-target.ts'),
  ...breach('core', 'src/server/core/', '#server/people/wall-target.ts'),
  ...breach('store', 'src/server/store/', '#server/people/wall-target.ts'),
  ...breach('web', 'src/server/web/', '#server/people/wall-target.ts'),
  ...breach('proxy', 'src/server/proxy/', '#server/people/wall-target.ts'),
  ...breach('people', 'src/server/people/', '#model/wall-target.ts'),
  ...breach('journal', 'src/server/journal/', '#server/people/wall-target.ts'),
  ...breach('alerts', 'src/server/alerts/', '#server/people/wall-target.ts'),
  ...breach('readings', 'src/server/readings/', '#server/people/wall-target.ts'),
  ...breach('push', 'src/server/push/', '#server/people/wall-target.ts'),
  ...breach('ops', 'src/server/ops/', '#server/people/wall-target.ts'),
  ...breach('main', 'src/server/main/', '#page/client/wall-target.ts'),
  ...breach('databases', 'src/sql/', '#server/core/wall-target.ts'),
  ...breach('serve', 'src/serve.', '#model/wall-target.ts'),
  ...breach('desks', 'src/desks/', '#model/wall-target.ts'),
  ...breach('evidence', 'src/evidence/', '#server/core/wall-target.ts'),
  ...breach('venue', 'src/venue/', '#model/wall-target.ts'),
  ...breach('conformance', 'src/venue/conformance/', '#model/wall-target.ts'),
  ...breach('cli', 'src/cli/', '#server/core/wall-target.ts'),
  ...breach('tools', 'src/tools/', '#server/core/wall-target.ts'),
  ...breach('testing', 'src/testing/', '#tools/wall-target.ts'),
  ...breach('component', 'src/testing/component/', '#tools/wall-target.ts'),
  ...breach('e2e', 'e2e/', '#server/core/wall-target.ts'),
  ...breach('bench', 'e2e/bench/', '../../src/venue/wall-target.ts'),
  'tests-of-page-and-server': { 'src/page/kit/wall-breach.test.ts': typeFrom('#server/core/wall-target.ts') },
  'testing-only-in-tests': {
    'src/model/takes-help.ts': typeFrom('#testing/wall-help.ts'),
    'src/testing/wall-help.ts': target,
  },
  'every-file-in-a-room': { 'src/stray.ts': typeFrom('#contract/wall-breach.ts') },
  'only-into-a-room': {
    'src/page/client/into-nowhere.ts': typeFrom('#nowhere/room.ts'),
    'src/nowhere/room.ts': target,
  },
  'screen-knows-no-other-screen': {
    'src/page/screens/one/one.ts': typeFrom('#page/screens/two/two.ts'),
    'src/page/screens/two/two.ts': target,
  },
  'screens-neither-parse-nor-sign': {
    'src/page/screens/one/parses.ts':
      "import { parse } from '#contract/parse/wall-value.ts';\nexport const parsed = parse;\n",
    'src/contract/parse/wall-value.ts': 'export const parse = 1;\n',
  },
  'node-only-on-the-server-side': { 'src/model/reads.ts': "export { readFileSync } from 'node:fs';\n" },
  'react-only-on-the-page': { 'src/venue/draws.ts': "export { useState } from 'react';\n" },
  'no-development-package-in-the-product': { 'src/server/guesses.ts': "export { assert } from 'fast-check';\n" },
  'not-to-unresolvable': { 'src/page/client/lost.ts': "export { lost } from './not-there.ts';\n" },
  'bench-not-to-unresolvable': { 'e2e/bench/lost.ts': "export { lost } from './not-there.ts';\n" },
  'no-cycles': {
    'src/page/client/round-a.ts': "import { b } from './round-b.ts';\nexport const a = (): unknown => b;\n",
    'src/page/client/round-b.ts': "import { a } from './round-a.ts';\nexport const b = (): unknown => a;\n",
  },
  'no-orphans': { 'src/page/client/left-over.ts': target },
  'nothing-imports-a-test': {
    'src/page/client/takes-a-test.ts': typeFrom('./taken.test.ts'),
    'src/page/client/taken.test.ts': target,
  },
};

beforeAll(() => {
  checkout = createTemporaryCheckout();
});
afterAll(() => {
  checkout.dispose();
});

describe('walls', () => {
  const rules = (configuration.forbidden ?? []).map(({ name = '', comment = '' }) => ({ name, comment }));
  let printed: string;
  let outcome: Outcome;

  beforeAll(async () => {
    for (const files of [targets, ...Object.values(breaches)]) checkout.write(files);
    outcome = await walls();
    printed = outcome.output.replaceAll(/\s+/g, ' ');
  });

  test('fail a tree that breaks them', () => {
    expect(outcome).toMatchObject({ passed: 0, failed: 1, notRun: [] });
  });

  test('are all broken here', () => {
    expect(Object.keys(breaches).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
  });

  test.each(rules)('report $name with the file that breaks it and the reason', ({ name, comment }) => {
    const [file] = Object.keys(breaches[name] ?? {});
    expect(printed).toContain(`error ${name}: ${String(file)}`);
    expect(printed).toContain(comment);
  });
});

describe('circles of folders', () => {
  test('are found, and shown as the way there and back', async () => {
    checkout.write({
      'src/model/one/there.ts': typeFrom('../two/other.ts'),
      'src/model/two/other.ts': target,
      'src/model/two/back.ts': typeFrom('../one/left.ts'),
      'src/model/one/left.ts': target,
    });
    const { failed, output } = await walls();
    expect(failed).toBe(1);
    expect(output).toContain('error no-folder-cycles: src/model/one → src/model/two → src/model/one');
  });
});

describe('the guard over the walls', () => {
  test('fails when dependency-cruiser reads no file and reports success', async () => {
    checkout.write({ '.dependency-cruiser.mjs': "export default { forbidden: [], options: { exclude: '.' } };\n" });
    const { failed, output } = await walls();
    expect(failed).toBe(1);
    expect(output).toContain('no dependency violations found (0 modules');
    expect(output).toMatch(/The walls are not checked:\s+dependency-cruiser saw 0 of [1-9]\d* files/);
  });

  test('fails when dependency-cruiser does not know the compiler', async () => {
    checkout.write({
      'node_modules/typescript/package.json': '{ "version": "99.0.0", "main": "./lib/typescript.js" }',
    });
    const { failed, output } = await walls();
    expect(failed).toBe(1);
    expect(output).toMatch(/The walls are not checked:\s+dependency-cruiser does not know this version of TypeScript/);
  });
});
