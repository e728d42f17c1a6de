// The checks of single files: each must pass a good tree and fail a bad one, run as "npm run verify" runs it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from './steps.ts';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';
import { createVerifySteps } from './verify.ts';

let checkout: TemporaryCheckout;
let written: readonly string[] = [];

/** The files that this tree's configuration imports, or that a check runs. */
const OF_THE_CHECKS =
  /^src\/((cli|tools)\/[^/]+\.mjs|tools\/(budgets|lint-rules|text-order)\.ts|testing\/browser-arguments\.ts|testing\/component\/(answers|answer-command|scan-command)\.ts)$/;
const FOLDERS = ['src', 'src/cli', 'src/tools', 'src/testing', 'src/testing/component'];

/** Whether a file belongs to this tree's configuration, which the tests put around sources of their own. */
function isConfiguration(path: string): boolean {
  return !/^(e2e|src)(\/|$)/.test(path) || FOLDERS.includes(path) || OF_THE_CHECKS.test(path);
}

async function run(stepName: string, files: Readonly<Record<string, string>>): Promise<Outcome> {
  const step = createVerifySteps(checkout.root).find(({ name }) => name === stepName);
  if (step === undefined) throw new Error(`verify has no step "${stepName}"`);
  written = Object.keys(files);
  checkout.write(files);
  return step.run();
}

beforeAll(() => {
  checkout = createTemporaryCheckout(isConfiguration);
});
afterEach(() => {
  checkout.remove(written);
});
afterAll(() => {
  checkout.dispose();
});

const good = {
  'src/contract/good.ts': 'export function half(whole: number): number {\n  return whole / 2;\n}\n',
};

const passes = "import { expect, test } from 'vitest';\ntest('passes', () => { expect(1).toBe(1); });\n";

describe('types', () => {
  test('passes what the compiler accepts', async () => {
    expect(await run('types', good)).toMatchObject({ passed: 1, failed: 0, notRun: [] });
  });

  test('fails what the strict flags forbid', async () => {
    const { failed, output } = await run('types', {
      ...good,
      'src/contract/wrong.ts': "export const count: number = 'three';\n",
      'src/contract/unchecked.ts': 'export function first(list: readonly number[]): number {\n  return list[0];\n}\n',
      'src/contract/exact.ts': 'export const box: { size?: number } = { size: undefined };\n',
      'src/contract/erasable.ts': 'export enum Side { Bid, Ask }\n',
      'src/contract/unused.ts': 'const unused = 1;\nexport {};\n',
    });
    expect(failed).toBe(1);
    const codes = output.matchAll(/src\/contract\/(\w+)\.ts\S* error (TS\d+)/g);
    expect(Object.fromEntries([...codes].map(([, file, code]) => [file, code]))).toEqual({
      wrong: 'TS2322',
      unchecked: 'TS2322',
      exact: 'TS2375',
      erasable: 'TS1294',
      unused: 'TS6133',
    });
  });
});

describe('lint', () => {
  test('fails every broken rule by its name', async () => {
    const { failed, output } = await run('lint', {
      'src/contract/bad.ts': [
        'async function work(): Promise<void> { await Promise.resolve(); }',
        'export function start(): void { work(); }',
        'export function loose(value: any): number { return value; }',
        'export function first(list: readonly number[]): number { return list[0]!; }',
        "export function say(side: 'bid' | 'ask'): number | undefined { switch (side) { case 'bid': return 1; } return undefined; }",
        'export default 1;',
        '// oxlint-disable-next-line no-var',
        'export const fine = 1;',
      ].join('\n'),
      'src/contract/clock.ts': 'export const now = (): number => Date.now();\n',
      'src/contract/date.ts': 'export const now = (): Date => new Date();\n',
      'src/model/clock.ts': 'export function now(): number { return Date.now() + Math.random(); }\n',
      'src/server/settings.ts': "export const port = process.env['PORT'];\n",
      'src/page/kit/BadName.ts': 'export const fine = 1;\n',
      'src/page/screens/some/some-screen.tsx':
        "import { useNow } from '#page/kit/time/use-now.tsx';\nexport const useAge = useNow;\n",
      'src/page/kit/stale.ts': [
        "import { useEffect } from 'react';",
        'export function useTitle(title: string): void { useEffect(() => { document.title = title; }, []); }',
      ].join('\n'),
    });
    expect(failed).toBe(1);
    for (const rule of [
      'no-floating-promises',
      'no-explicit-any',
      'no-non-null-assertion',
      'switch-exhaustiveness-check',
      'no-default-export',
      'described-disables',
      'no-clock',
      'no-restricted-properties',
      'no-restricted-imports',
      'kebab-case-files',
      'exhaustive-deps',
    ]) {
      expect(output).toContain(rule);
    }
  });

  test('passes an unchanged file until a change to another file makes it break a rule', async () => {
    const user = "import { work } from './work.ts';\n\nexport function start(): void {\n  work();\n}\n";
    const before = await run('lint', {
      'src/page/client/use.ts': user,
      'src/page/client/work.ts': 'export function work(): void {\n  return;\n}\n',
    });
    const after = await run('lint', {
      'src/page/client/use.ts': user,
      'src/page/client/work.ts': 'export async function work(): Promise<void> {\n  await Promise.resolve();\n}\n',
    });
    expect([before.failed, after.failed]).toEqual([0, 1]);
    expect(after.output).toMatch(/no-floating-promises[\s\S]*use\.ts/);
  });
});

describe('format', () => {
  test('passes what the formatter writes, and fails another layout of it', async () => {
    expect(await run('format', good)).toMatchObject({ passed: 1, failed: 0 });
    const { failed, output } = await run('format', { 'src/contract/flat.ts': 'export const  one = "1"\n' });
    expect(failed).toBe(1);
    expect(output).toContain('src/contract/flat.ts');
  });
});

describe('order of texts', () => {
  const ids = [
    "import type { Brand } from './brand.ts';",
    ...['OrderId', 'AckId', 'Instant'].map((name) => `export type ${name} = Brand<string, '${name}'>;`),
  ].join('\n');
  const brand = 'declare const tag: unique symbol;\nexport type Brand<Base, Name> = Base & { readonly [tag]: Name };\n';

  const branded = { 'src/contract/exchange/brand.ts': brand, 'src/contract/exchange/ids.ts': ids };

  test('passes equality, and any texts whose order is theirs', async () => {
    const good =
      "import type { OrderId } from './ids.ts';\nexport const isSame = (one: OrderId, other: OrderId): boolean => one === other;\nexport const isBefore = (one: string, other: string): boolean => one < other;\n";
    expect(await run('order of texts', { ...branded, 'src/contract/good.ts': good })).toMatchObject({
      passed: 1,
      failed: 0,
    });
  });

  test('fails those with another order, and says what compares them', async () => {
    const bad = [
      "import type { AckId, Instant, OrderId } from './ids.ts';",
      'export const a = (one: OrderId, other: OrderId): boolean => one < other;',
      'export const b = (one: OrderId, other: OrderId): boolean => one >= other;',
      'export const c = (one: AckId, other: AckId): boolean => one > other;',
      'export const d = (one: Instant, other: Instant): boolean => one <= other;',
    ].join('\n');
    const { failed, output } = await run('order of texts', { ...branded, 'src/contract/bad.ts': bad });
    expect(failed).toBe(1);
    expect([...new Set(output.match(/src\/contract\/bad\.ts:.*/g))]).toEqual([
      'src/contract/bad.ts:2: OrderId must be compared by compareOrderIds, not as a text.',
      'src/contract/bad.ts:3: OrderId must be compared by compareOrderIds, not as a text.',
      'src/contract/bad.ts:4: AckId must be compared by compareOrderIds, not as a text.',
      'src/contract/bad.ts:5: Instant must be compared by compareInstants, not as a text.',
    ]);
  });
});

describe('unit tests', () => {
  test('are counted one by one: passed, failed, not loaded, skipped; slow ones are left to "npm test"', async () => {
    const skipped = "test.skip('later', () => { expect(1).toBe(2); });\ntest.todo('one day');\n";
    const outcome = await run('unit tests', {
      'src/page/client/skipped.test.ts': passes + skipped,
      'src/page/client/bad.test.ts': passes.replace('toBe(1)', 'toBe(2)'),
      'src/page/client/broken.test.ts': `import './missing.ts';\n${passes}`,
      'src/page/client/slow.integration.test.ts': passes,
      'src/page/client/slow.checks.test.ts': passes,
    });
    expect(outcome).toMatchObject({
      passed: 1,
      failed: 2,
      notRun: ['src/page/client/skipped.test.ts > later', 'src/page/client/skipped.test.ts > one day'],
    });
    expect(outcome.failures.toSorted()).toEqual([
      expect.stringMatching(/^src\/page\/client\/bad\.test\.ts > .+: AssertionError: expected 1 to be 2/),
      expect.stringMatching(/^src\/page\/client\/broken\.test\.ts: .*missing\.ts/),
    ]);
  });

  test('fail when an error falls between them', async () => {
    const stray =
      "setTimeout(() => { throw new Error('stray'); });\nawait new Promise((done) => { setTimeout(done, 20); });\n";
    expect(await run('unit tests', { 'src/page/client/stray.test.ts': passes + stray })).toMatchObject({ failed: 1 });
  });

  test('do not pass when there are none', async () => {
    expect(await run('unit tests', {})).not.toMatchObject({ failed: 0, notRun: [] });
  });
});
