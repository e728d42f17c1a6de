// Tests the checks of the tree as a whole: each must fail on a bad addition, run as "npm run verify" runs it. Each test
// looks only for the complaint that its own addition causes, so other problems in the tree do not matter here.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from './steps.ts';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';
import { createVerifySteps } from './verify.ts';

let checkout: TemporaryCheckout;
let written: readonly string[] = [];

async function run(stepName: string, files: Readonly<Record<string, string>>): Promise<Outcome> {
  const step = createVerifySteps(checkout.root).find(({ name }) => name === stepName);
  if (step === undefined) throw new Error(`verify has no step "${stepName}"`);
  written = Object.keys(files);
  checkout.write(files);
  return step.run();
}

beforeAll(() => {
  checkout = createTemporaryCheckout();
});
afterEach(() => {
  checkout.remove(written);
});
afterAll(() => {
  checkout.dispose();
});

describe('dead code', () => {
  const used = 'export function used(): void {}\nexport function unused(): void {}\n';

  test('fails a file that nothing uses', async () => {
    const { failed, output } = await run('dead code', { 'src/server/left-over.ts': used });
    expect(failed).toBe(1);
    expect(output).toMatch(/Unused files[\s\S]*src\/server\/left-over\.ts/);
  });

  test('fails an export that nothing uses', async () => {
    const { failed, output } = await run('dead code', {
      'src/server/half-used.ts': used,
      'src/server/half-used.test.ts': "import { used } from './half-used.ts';\nused();\n",
    });
    expect(failed).toBe(1);
    expect(output).toMatch(/unused\s+function\s+src\/server\/half-used\.ts/);
    expect(output).not.toMatch(/ used\s+function/);
  });
});

describe('dead in production', () => {
  test('fails what only a test uses', async () => {
    const files = {
      'src/server/only-tested.ts': 'export function tested(): void {}\n',
      'src/server/only-tested.test.ts': "import { tested } from './only-tested.ts';\ntested();\n",
    };
    const { failed, output } = await run('dead in production', files);
    expect(failed).toBe(1);
    expect(output).toContain('src/server/only-tested.ts');
    expect((await run('dead code', files)).output).not.toContain('src/server/only-tested.ts');
  });
});

describe('bundle budget', () => {
  test('fails a first screen that has grown too large', async () => {
    // The content is noise, because brotli would compress a pattern to almost nothing.
    const noise = Array.from({ length: 60_000 }, (_, index) =>
      ((index * 2_654_435_761) % 4_294_967_296).toString(36),
    ).join('');
    const { failed, output } = await run('bundle budget', {
      'index.html':
        '<!doctype html><div id="root"></div><script type="module" src="/src/page/shell/large.ts"></script>\n',
      'src/page/shell/large.ts': `document.title = '${noise}';\n`,
    });
    expect(failed).toBe(1);
    expect(output).toMatch(/limit has exceeded by/);
  });

  test('fails an app that cannot be built', async () => {
    const { failed, output } = await run('bundle budget', {
      'index.html': '<!doctype html><script type="module" src="/src/page/shell/missing.ts"></script>\n',
    });
    expect(failed).toBe(1);
    expect(output).toContain('src/page/shell/missing.ts');
  });
});
