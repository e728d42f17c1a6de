import { beforeEach, expect, test } from 'vitest';
import { printsBefore, servesFunding } from '#testing/faults/funding-script.ts';
import { openFault, type Fault } from '#testing/faults/open-fault.ts';

/** The purpose that a page declares also applies to composed responses. */

const BUDGET = { requests: 40, seconds: 300 };
/** More than the share of one person who is alone. */
const OVER_SHARE = 34;
const COMPOSED = ['/api/desk/products', '/api/desk/working', '/api/desk/funding'];
let fault: Fault;

beforeEach(async () => {
  fault = await openFault({ budget: BUDGET });
  fault.venue.alwaysDoes(servesFunding({ rows: printsBefore(0, 3), maxRows: 100, failure: null, estimate: {} }));
});

const sendFor = (path: string, purpose: string) => fault.send(path, { headers: { 'desk-purpose': purpose } });

async function spendShare(): Promise<void> {
  for (let product = 1; product <= OVER_SHARE; product++)
    await fault.send(`/api/web/market/stats/trailing/${String(product)}`);
}

async function spentByPurpose(): Promise<unknown> {
  const { budget } = JSON.parse((await fault.send('/api/desk/status')).body.toString()) as {
    readonly budget: { readonly by_purpose: object };
  };
  return budget.by_purpose;
}

test('an interactive read may use the reserve, even if a background read of the same was rejected', async () => {
  await spendShare();
  for (const path of COMPOSED) {
    const { status, body } = await fault.send(path);
    expect({ status, body: body.toString() }).toEqual({
      status: 429,
      body: expect.stringContaining('budget-spent') as string,
    });
  }
  for (const path of COMPOSED) expect((await sendFor(path, 'interactive')).status, path).toBe(200);
  expect(await spentByPurpose()).toMatchObject({ interactive: 3, working: 0, history: 0 });
});

test('settled funding that a prefetch could not read is read for the next request', async () => {
  await fault.send('/api/desk/products');
  for (let product = 1; product < OVER_SHARE; product++)
    await fault.send(`/api/web/market/stats/trailing/${String(product)}`);
  expect((await sendFor('/api/desk/funding', 'prefetch')).status).toBe(429);
  expect((await sendFor('/api/desk/funding', 'interactive')).status).toBe(200);
});

test('a prefetch stays a prefetch', async () => {
  for (const path of COMPOSED) expect((await sendFor(path, 'prefetch')).status, path).toBe(200);
  expect(await spentByPurpose()).toMatchObject({ prefetch: 3, working: 0, history: 0 });
});
