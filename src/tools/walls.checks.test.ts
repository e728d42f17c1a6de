// The walls: every rule is broken here once, and the output must name the rule and its reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import configuration from '../../.dependency-cruiser.mjs';
import type { Outcome } from './steps.ts';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';
import { createVerifySteps } from './verify-steps.ts';

type Files = Readonly<Record<string, string>>;

let checkout: TemporaryCheckout;

function walls(): Promise<Outcome> {
  const step = createVerifySteps(checkout.root).find(({ name }) => name === 'walls');
  if (step === undefined) throw new Error('verify has no step "walls"');
  return step.run();
}

const target = 'export type Target = 1;\n';
const targets: Files = Object.fromEntries(
  ['api', 'domain', 'gateway', 'tools', 'venue', 'views'].map((room) => [`src/${room}/wall-target.ts`, target]),
);

function typeFrom(path: string): string {
  return `import type { Target } from '${path}';\nexport type Taken = Target;\n`;
}

/** A room's wall, broken by a type alone, in a source file and in a test. */
function breach(wall: string, folder: string, path: string): Record<string, Files> {
  return {
    [`${wall}-wall`]: { [`${folder}wall-breach.ts`]: typeFrom(path) },
    [`${wall}-tests-wall`]: { [`${folder}wall-breach.test.ts`]: typeFrom(path) },
  };
}

/** A room of the gateway, or one of its shared files, that imports another room. */
function breachInGateway(wall: string, file: string, room: string): Record<string, Files> {
  const from = file.includes('/') ? '../' : './';
  return {
    [`gateway-${wall}-wall`]: {
      [`src/gateway/${file}`]: typeFrom(`${from}${room}/room-target.ts`),
      [`src/gateway/${room}/room-target.ts`]: target,
    },
  };
}

/** What breaks each rule; the output must name the first file of each. */
const breaches: Readonly<Record<string, Files>> = {
  ...breach('contract', 'src/contract/', '#gateway/wall-target.ts'),
  ...breach('domain', 'src/domain/', '#gateway/wall-target.ts'),
  ...breach('api', 'src/api/', '#gateway/wall-target.ts'),
  ...breach('ui', 'src/ui/', '#domain/wall-target.ts'),
  ...breach('panels', 'src/panels/', '#views/wall-target.ts'),
  ...breach('views', 'src/views/some/', '#gateway/wall-target.ts'),
  ...breach('app', 'src/app/', '#gateway/wall-target.ts'),
  ...breach('evidence', 'src/evidence/', '#gateway/wall-target.ts'),
  ...breach('files', 'src/files/', '#gateway/wall-target.ts'),
  ...breach('sql', 'src/sql/', '#gateway/wall-target.ts'),
  ...breach('gateway', 'src/gateway/', '#domain/wall-target.ts'),
  ...breachInGateway('shared', 'wall-breach-shared.ts', 'http'),
  ...breachInGateway('store', 'store/wall-breach-room.ts', 'cache'),
  ...breachInGateway('access', 'access/wall-breach-room.ts', 'journal'),
  ...breachInGateway('journal', 'journal/wall-breach-room.ts', 'upstream'),
  ...breachInGateway('journal-export', 'journal-export/wall-breach-room.ts', 'journal'),
  ...breachInGateway('saved', 'saved/wall-breach-room.ts', 'access'),
  ...breachInGateway('control', 'control/wall-breach-room.ts', 'backup'),
  ...breachInGateway('backup', 'backup/wall-breach-room.ts', 'journal'),
  ...breachInGateway('calls', 'calls/wall-breach-room.ts', 'upstream'),
  ...breachInGateway('rules', 'rules/wall-breach-room.ts', 'upstream'),
  ...breachInGateway('cache', 'cache/wall-breach-room.ts', 'upstream'),
  ...breachInGateway('rate-limit', 'rate-limit/wall-breach-room.ts', 'cache'),
  ...breachInGateway('upstream', 'upstream/wall-breach-room.ts', 'http'),
  ...breachInGateway('http', 'http/wall-breach-room.ts', 'desk-api'),
  ...breachInGateway('static', 'static/wall-breach-room.ts', 'cache'),
  ...breachInGateway('desk-api', 'desk-api/wall-breach-room.ts', 'upstream'),
  ...breachInGateway('live', 'live/wall-breach-room.ts', 'upstream'),
  ...breachInGateway('process', 'process/wall-breach-room.ts', 'desk-api'),
  ...breach('rules', 'src/gateway/rules/', '#venue/wall-target.ts'),
  ...breach('venue', 'src/venue/', '#domain/wall-target.ts'),
  ...breach('serve', 'src/serve.', '#domain/wall-target.ts'),
  ...breach('testing', 'src/testing/', '#tools/wall-target.ts'),
  ...breach('component', 'src/testing/component/', '#tools/wall-target.ts'),
  ...breach('cli', 'src/cli/', '#gateway/wall-target.ts'),
  ...breach('tools', 'src/tools/', '#gateway/wall-target.ts'),
  ...breach('e2e', 'e2e/', '#gateway/wall-target.ts'),
  ...breach('bench', 'e2e/bench/', '../../src/venue/wall-target.ts'),
  'every-file-in-a-room': { 'src/stray.ts': typeFrom('#contract/wall-breach.ts') },
  'only-into-a-room': { 'src/api/into-nowhere.ts': typeFrom('#nowhere/room.ts'), 'src/nowhere/room.ts': target },
  'view-knows-no-other-view': {
    'src/views/one/one.ts': typeFrom('#views/two/two.ts'),
    'src/views/two/two.ts': target,
  },
  'screens-neither-parse-nor-sign': {
    'src/views/one/parses.ts':
      "import { parse } from '#contract/parsing/wall-value.ts';\nexport const parsed = parse;\n",
    'src/contract/parsing/wall-value.ts': 'export const parse = 1;\n',
  },
  'node-only-on-the-server-side': { 'src/domain/reads.ts': "export { readFileSync } from 'node:fs';\n" },
  'react-only-on-the-page': { 'src/venue/draws.ts': "export { useState } from 'react';\n" },
  'no-development-package-in-the-product': { 'src/gateway/guesses.ts': "export { assert } from 'fast-check';\n" },
  'not-to-unresolvable': { 'src/api/lost.ts': "export { lost } from './not-there.ts';\n" },
  'bench-not-to-unresolvable': { 'e2e/bench/lost.ts': "export { lost } from './not-there.ts';\n" },
  'no-cycles': {
    'src/api/round-a.ts': "import { b } from './round-b.ts';\nexport const a = (): unknown => b;\n",
    'src/api/round-b.ts': "import { a } from './round-a.ts';\nexport const b = (): unknown => a;\n",
  },
  'no-orphans': { 'src/api/left-over.ts': target },
  'nothing-imports-a-test': {
    'src/api/takes-a-test.ts': typeFrom('./taken.test.ts'),
    'src/api/taken.test.ts': target,
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
