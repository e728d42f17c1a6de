import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import type { StartedProcess } from '../start-process.ts';
import { ask, askStream } from './ask.ts';
import { granted, openViewedDesk, type Codes, type ViewedDesk } from './viewed-desk.ts';

/** The number of working orders. Those in futures alone exceed one response of the exchange on any day. */
const WORKING = 20_000;
const ALL = 'all roles and orders';
const LIMITED: Readonly<Record<string, Codes>> = {
  'one account': { accounts: ['HALC-101'] },
  'a firm and an account of it': { firms: ['HALC'], accounts: ['HALC-101'] },
  'no orders': {},
};
/**
 * The budget of which reading all orders in parts gets a share. It is too small for the product list, so the set stays
 * incomplete.
 */
const BUDGET = { requests: 60, seconds: 60 };

let venue: StartedProcess;
let desk: ViewedDesk;

beforeAll(async () => {
  venue = await startVenue(['--orders', '50', '--working', String(WORKING)]);
  const viewers = Object.entries(LIMITED).map(([name, codes]) => [name, granted(['orders'], codes)] as const);
  desk = await openViewedDesk(
    venue.address,
    { [ALL]: granted(['operations', 'admin'], 'all'), ...Object.fromEntries(viewers) },
    { budget: BUDGET },
  );
}, 120_000);

afterAll(async () => {
  await desk.close();
  await venue.stop();
});

async function read(viewer: string, query = ''): Promise<DeskWorking> {
  const { status, text } = await ask(desk, viewer, `/api/desk/working${query}`);
  expect(status, text.slice(0, 500)).toBe(200);
  return JSON.parse(text) as DeskWorking;
}

test(
  'those who may see few of very many orders have them all, proven, while those of all are still being read',
  { timeout: 60_000 },
  async () => {
    expect(await read(ALL)).toMatchObject({ complete: false });
    for (const [viewer, { accounts = [], firms = [] }] of Object.entries(LIMITED)) {
      // Each of these is one response of the exchange. The firm includes the account.
      const [filter] = [
        ...firms.map((firm) => `?clearing_member_code=${firm}`),
        ...accounts.map((account) => `?account_id=${account}`),
      ];
      const expected = filter === undefined ? [] : (await read(ALL, filter)).orders.map(({ id }) => id);
      const own = await read(viewer);
      expect(own.orders.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
      const times = { read_from: expect.any(String) as string, read_to: own.read_to };
      expect({ ...own, orders: [] }).toEqual({
        complete: true,
        unproven: [],
        drop: null,
        parts: [{ filter: {}, count: expected.length, read_at: own.read_to }],
        round_seconds: null,
        ...times,
        orders: [],
      });
      expect((JSON.parse((await ask(desk, viewer, '/api/orders/working')).text) as readonly unknown[]).length).toBe(
        expected.length,
      );
      const { text } = await askStream(desk, viewer, '/api/desk/live?topic=working-orders');
      expect(text).toMatch(/"complete":true/);
      expect(text).not.toMatch(/"complete":false|"clearing_firm_code":"(?!HALC")/);
    }
    expect(await read(ALL)).toMatchObject({ complete: false });
  },
);
