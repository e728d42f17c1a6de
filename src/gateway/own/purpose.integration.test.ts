import { beforeEach, expect, test } from 'vitest';
import { printsBefore, speaksFunding } from '#testing/fault/funding-script.ts';
import { openFault, type Fault } from '#testing/fault/open-fault.ts';

/** What the pages say of a request holds for what the desk puts together, too. */

const BUDGET = { requests: 20, seconds: 300 };
/** All but the reserve, which a person's click may use. */
const FOR_ALL = 17;
const MADE_BY_THE_DESK = ['/api/desk/products', '/api/desk/working', '/api/desk/funding'];
let fault: Fault;

beforeEach(async () => {
  fault = await openFault({ budget: BUDGET });
  fault.venue.alwaysDoes(speaksFunding({ rows: printsBefore(0, 3), mostRows: 100, failure: null, estimate: {} }));
});

const askFor = (path: string, purpose: string) => fault.ask(path, { headers: { 'desk-purpose': purpose } });

async function spendAllButReserve(): Promise<void> {
  for (let product = 1; product <= FOR_ALL; product++) await fault.ask(`/api/web/market/stats/trailing/${String(product)}`);
}

async function spentByPurpose(): Promise<unknown> {
  const { budget } = JSON.parse((await fault.ask('/api/desk/status')).body.toString()) as { readonly budget: { readonly by_purpose: object } };
  return budget.by_purpose;
}

test('a click may use the reserve, also where the same was refused to somebody who does not wait', async () => {
  await spendAllButReserve();
  for (const path of MADE_BY_THE_DESK) {
    const { status, body } = await fault.ask(path);
    expect({ status, body: body.toString() }).toEqual({ status: 429, body: expect.stringContaining('budget-spent') as string });
  }
  for (const path of MADE_BY_THE_DESK) expect((await askFor(path, 'click')).status, path).toBe(200);
  expect(await spentByPurpose()).toMatchObject({ click: 3, working: 0, history: 0 });
});

test('settled funding that was refused to a prefetch is read for who asks next', async () => {
  await fault.ask('/api/desk/products');
  for (let product = 1; product < FOR_ALL; product++) await fault.ask(`/api/web/market/stats/trailing/${String(product)}`);
  expect((await askFor('/api/desk/funding', 'prefetch')).status).toBe(429);
  expect((await askFor('/api/desk/funding', 'click')).status).toBe(200);
});

test('a prefetch stays one', async () => {
  for (const path of MADE_BY_THE_DESK) expect((await askFor(path, 'prefetch')).status, path).toBe(200);
  expect(await spentByPurpose()).toMatchObject({ prefetch: 3, working: 0, history: 0 });
});
