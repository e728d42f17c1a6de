import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { RULE_ACTIONS, RULE_ENDPOINTS, type Alert } from '#contract/desk/alerts.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { findCheckedSessions } from '#model/checks/price-evidence.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';

/** Compares rules with figures computed here from the responses, in plain arithmetic. */

let desk: StartedDesk;

beforeAll(async () => {
  // A market that does not move, so that both sides see the same.
  desk = await startDesk({ venue: ['--live', 'off'] });
}, 60_000);

afterAll(() => desk.stop());

interface Product {
  readonly product_id: number;
  readonly symbol: string;
  readonly type: string;
  readonly price_increment?: number | null;
  readonly contract_size?: number | null;
}

interface Data {
  readonly product_id: number;
  readonly last_price: number | null;
  readonly last_price_time: string | null;
  readonly settlement_price: number | null;
  readonly settlement_time: string | null;
  readonly price_change: number | null;
  readonly volume: number | null;
  readonly open_interest: number | null;
}

interface WorkingOrder {
  readonly product_id: number;
  readonly product_type: string;
  readonly quantity_requested: number;
  readonly quantity_filled: number;
}

async function readRaw<Value>(path: string): Promise<Value> {
  const response = await fetch(`${desk.api}${path}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Value;
}

async function put(rule: object): Promise<void> {
  const { path, method } = RULE_ACTIONS.putRule;
  const response = await fetch(`${desk.server.address}${path.slice(1)}`, {
    method,
    headers: { [ACTION_HEADER]: 'putRule', 'content-type': 'application/json' },
    body: JSON.stringify({ rule }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** Resolves to the alerts of a rule in these states, once there are that many. */
async function untilAlerts(
  ruleId: string,
  count: number,
  states: readonly string[] = ['firing'],
): Promise<ReadonlyMap<string, Alert>> {
  let found: readonly Alert[] = [];
  await expect
    .poll(
      async () => {
        const { path, response: schema, rows } = RULE_ENDPOINTS.alerts;
        const { alerts } = createParser(schema, rows).strict(
          await (await fetch(`${desk.server.address}${path.slice(1)}`)).text(),
        );
        found = alerts.filter(({ rule_id: id, state }) => id === ruleId && states.includes(state));
        return found.length;
      },
      { timeout: 60_000 },
    )
    .toBe(count);
  return new Map(found.map((alert) => [alert.group, alert]));
}

const common = { enabled: true, severity: 'warning', channels: [], for_seconds: 0 };
const market = { ...common, about: 'market', filter: {}, comparison: 'over' };

/** Reads the listed products with their data. */
async function readMarket(): Promise<readonly (readonly [Product, Data])[]> {
  const [{ products }, data] = await Promise.all([
    readRaw<{ readonly products: readonly Product[] }>('/desk/products'),
    readRaw<readonly Data[]>('/product/data/'),
  ]);
  const rows = new Map(data.map((row) => [row.product_id, row]));
  return products.flatMap((product) => {
    const row = rows.get(product.product_id);
    return row === undefined ? [] : [[product, row] as const];
  });
}

/**
 * Returns a limit halfway between two middle values: some values exceed it, and none is so close that rounding decides.
 */
function limitWithin(values: readonly number[]): number {
  const sorted = [...new Set(values)].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

describe('rules about the market', () => {
  it.each([
    ['volume', 'contracts', ({ volume }: Data) => volume],
    ['open_interest', 'contracts', ({ open_interest: interest }: Data) => interest],
    [
      'price_change',
      'percent',
      ({
        price_change: change,
        settlement_price: settlement,
        settlement_time: settled,
        last_price_time: traded,
      }: Data) =>
        change === null ||
        settlement === null ||
        settlement <= 0 ||
        settled === null ||
        traded === null ||
        settled >= traded
          ? null
          : (100 * change) / settlement,
    ],
  ] as const)(
    'fire for the products whose %s is over the limit, with the row of the exchange as evidence',
    async (measure, unit, valueOf) => {
      const rows = await readMarket();
      const values = rows.flatMap(([{ symbol }, row]) => {
        const value = valueOf(row);
        return value === null ? [] : [{ symbol, value, row }];
      });
      const limit = limitWithin(values.map(({ value }) => value));
      const expected = values.filter(({ value }) => value > limit);
      expect(expected.length).toBeGreaterThan(0);
      await put({ ...market, id: measure.replace('_', '-'), name: measure, measure, unit, value: limit });
      const alerts = await untilAlerts(measure.replace('_', '-'), expected.length);
      for (const { symbol, value, row } of expected) {
        const alert = alerts.get(symbol) ?? expect.fail(symbol);
        expect(Number(alert.value), symbol).toBeCloseTo(value, 9);
        expect(alert.unit).toBe(unit);
        expect(alert.evidence).toMatchObject({ total: 1, products: [row] });
      }
    },
    90_000,
  );
});

/**
 * Returns the products whose prices the screens convert, by symbol, and the settled sessions that they read to find
 * out.
 */
async function readConversions(): Promise<{
  readonly isConverted: ReadonlyMap<string, boolean>;
  readonly sessions: readonly string[];
}> {
  const text = async (path: string) => (await fetch(`${desk.api}${path}`)).text();
  const source = {
    endpoint: '',
    target: '',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'unknown',
    requestId: null,
  } as const;
  const products = createParser(DESK_ENDPOINTS.products.response, DESK_ENDPOINTS.products.rows).strict(
    await text('/desk/products'),
  ).products;
  const parseData = (json: string) =>
    createParser(ENDPOINTS.productDataAll.response).tolerant(json).value ?? expect.fail('no product data');
  const voi = createParser(ENDPOINTS.chartVoi.response).strict(await text('/web/charts/voi'));
  const funding = createParser(ENDPOINTS.fundingRates.response).strict(await text('/funding-rates/?limit=100'));
  const data = parseData(await text('/product/data/'));
  const sessions = findCheckedSessions(voi, data);
  const settled = await Promise.all(sessions.map(async (day) => parseData(await text(`/product/data/?day=${day}`))));
  const checksOf = createPriceChecks({
    voi: { ...source, value: voi },
    funding: { ...source, value: funding },
    data: { ...source, value: data },
    sessions: settled,
  });
  return {
    isConverted: new Map(products.map((product) => [product.symbol ?? '', checksOf(product).check.reason === null])),
    sessions,
  };
}

describe('rules about the notional of working orders', () => {
  it('fire for the futures at their last price or else their settlement, and have no data of those whose tick size contradicts other figures', async () => {
    const products = new Map((await readMarket()).map(([product, row]) => [product.product_id, { product, row }]));
    const { orders } = await readRaw<{ readonly orders: readonly WorkingOrder[] }>('/desk/working');
    const futures = Map.groupBy(
      orders.filter(({ product_type: type }) => type === 'Future'),
      ({ product_id: id }) => id,
    );
    await put({
      ...common,
      id: 'notional',
      name: 'Notional',
      about: 'orders',
      measure: 'notional',
      filter: { product_type: 'Future' },
      each: 'product',
      comparison: 'over',
      value: 0,
      unit: 'USD',
    });
    const alerts = await untilAlerts('notional', futures.size, ['firing', 'no data']);
    const { isConverted, sessions } = await readConversions();
    const { live } = createParser(DESK_ENDPOINTS.status.response).strict(
      await (await fetch(`${desk.api}/desk/status`)).text(),
    );
    const planned = live.topics.map(({ topic, watched_seconds: seconds }) => `${topic} ${String(seconds)}`);
    expect(planned).toEqual(expect.arrayContaining(sessions.map((day) => `product-data?day=${day} 900`)));
    const known = [...futures].flatMap(([id, own]) => {
      const { product, row } = products.get(id) ?? expect.fail('no product');
      const alert = alerts.get(product.symbol) ?? expect.fail(product.symbol);
      expect(alert.value !== null, product.symbol).toBe(isConverted.get(product.symbol));
      if (alert.value === null) {
        expect([alert.state, alert.sentence]).toEqual([
          'no data',
          expect.stringMatching(/^Notional cannot be evaluated for .+\. It is unknown for \d+ orders?\.$/),
        ]);
        return [];
      }
      const price = row.last_price ?? row.settlement_price ?? NaN;
      const contracts = own.reduce((sum, order) => sum + order.quantity_requested - order.quantity_filled, 0);
      const value = contracts * price * (product.price_increment ?? NaN) * (product.contract_size ?? NaN);
      expect(Number(alert.value) / value, product.symbol).toBeCloseTo(1, 9);
      expect([alert.state, alert.unit, alert.evidence.total]).toEqual(['firing', 'USD', own.length]);
      return [product.symbol];
    });
    expect(known.length).toBeGreaterThan(futures.size / 2);
  }, 90_000);
});
