import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { RULE_ACTIONS, RULE_ENDPOINTS, type Alert, type RuleTrial } from '#contract/desk/alerts.ts';
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
  readonly base_symbol: string;
  readonly type: string;
  readonly product_status: string;
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

async function send(action: 'putRule' | 'tryRule', rule: object) {
  const { path, method } = RULE_ACTIONS[action];
  const response = await fetch(`${desk.server.address}${path.slice(1)}`, {
    method,
    headers: { [ACTION_HEADER]: action, 'content-type': 'application/json' },
    body: JSON.stringify({ rule }),
  });
  return { status: response.status, text: await response.text() };
}

async function put(rule: object): Promise<void> {
  const { status, text } = await send('putRule', rule);
  expect(status, text).toBe(200);
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
        const { path } = RULE_ENDPOINTS.alertEvidence;
        const evidence: unknown = await (
          await fetch(`${desk.server.address}${path.slice(1)}?rule_id=${alert.rule_id}&group=${symbol}`)
        ).json();
        expect(evidence).toMatchObject({ total: 1, products: [row] });
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
      expect([alert.state, alert.unit, alert.rows]).toEqual(['firing', 'USD', own.length]);
      return [product.symbol];
    });
    expect(known.length).toBeGreaterThan(futures.size / 2);
  }, 90_000);
});

describe('rules about price levels', () => {
  it('fire for the products whose last trade is over the level, in USD', async () => {
    const rows = await readMarket();
    const { isConverted } = await readConversions();
    const prices = rows.flatMap(
      ([{ symbol, price_increment: increment, product_status: status }, { last_price: ticks }]) =>
        ticks === null || status !== 'active' || isConverted.get(symbol) !== true
          ? []
          : [{ symbol, usd: ticks * (increment ?? NaN) }],
    );
    const level = limitWithin(prices.map(({ usd }) => usd));
    const expected = prices.filter(({ usd }) => usd > level);
    expect(expected.length).toBeGreaterThan(0);
    await put({ ...market, id: 'price', name: 'Price', measure: 'price', unit: 'USD', value: level });
    const alerts = await untilAlerts('price', expected.length);
    for (const { symbol, usd } of expected) {
      const alert = alerts.get(symbol) ?? expect.fail(symbol);
      expect(Number(alert.value) / usd, symbol).toBeCloseTo(1, 9);
      expect(alert.sentence).toMatch(new RegExp(`^Price of ${symbol}: .+ USD at .+ UTC, over `));
    }
  }, 90_000);

  it('about a product that the exchange does not list are refused', async () => {
    const rule = { ...market, id: 'typo', name: 'Typo', measure: 'price', unit: 'USD', value: 1 };
    for (const [filter, path, what] of [
      [{ symbols: ['PBTCUCZ50', 'PBTC'] }, '$.rule.filter.symbols[1]', 'the symbol of a product'],
      [{ symbol: 'PBTC' }, '$.rule.filter.symbol', 'the symbol of a product'],
      [{ base_symbol: 'BTC' }, '$.rule.filter.base_symbol', 'the base symbol of a product'],
    ] as const) {
      const { status, text } = await send('putRule', { ...rule, filter });
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ errors: [{ path, detail: `must be ${what} that the exchange lists` }] });
    }
  }, 30_000);
});

interface Print {
  readonly product_id: number;
  readonly funding_rate: number;
  readonly interval_end: string;
}

describe('rules about the funding of every perpetual', () => {
  const funding = { ...common, about: 'funding' };
  const listPerpetuals = async () =>
    (await readMarket()).flatMap(([product]) =>
      product.type === 'perpetual' ? [[product.product_id, product.base_symbol] as const] : [],
    );

  it('fire for those whose settled rate is over the value in APR', async () => {
    const symbols = new Map(await listPerpetuals());
    const { data } = await readRaw<{ readonly data: readonly Print[] }>('/funding-rates/?limit=100');
    const rates = data.map(({ product_id: id, funding_rate: rate }) => ({
      symbol: symbols.get(id) ?? expect.fail('no perpetual'),
      apr: rate * 3 * 365 * 100,
    }));
    expect(rates).toHaveLength(symbols.size);
    const limit = limitWithin(rates.map(({ apr }) => apr));
    const expected = rates.filter(({ apr }) => apr > limit);
    const over = { measure: 'settled_rate', comparison: 'over', value: limit, unit: 'percent APR' };
    await put({ ...funding, ...over, id: 'apr', name: 'APR' });
    const alerts = await untilAlerts('apr', expected.length);
    for (const { symbol, apr } of expected) {
      const alert = alerts.get(symbol) ?? expect.fail(symbol);
      expect(Number(alert.value), symbol).toBeCloseTo(apr, 9);
      expect(alert.unit).toBe('percent APR');
    }
  }, 90_000);

  it('are tried on the flips of the stored rates of 90 days', async () => {
    const perpetuals = await listPerpetuals();
    const { status, text } = await send('tryRule', { ...funding, id: 'flip', name: 'Flip', measure: 'flip' });
    expect(status, text).toBe(200);
    const { firings, not_tried: reason, tried_from: from } = JSON.parse(text) as RuleTrial;
    expect(reason).toBeNull();
    let flips = 0;
    for (const [, symbol] of perpetuals) {
      const {
        perpetuals: [own],
      } = await readRaw<{
        readonly perpetuals: readonly { readonly prints: readonly Print[] }[];
      }>(`/desk/funding?base_symbol=${symbol}&limit=400`);
      const prints = own?.prints ?? expect.fail(symbol);
      // Newest first.
      const ends = prints.flatMap(({ funding_rate: rate, interval_end: end }, index) =>
        rate * (prints[index + 1]?.funding_rate ?? 0) < 0 && Date.parse(end) >= Date.parse(from ?? '')
          ? [Date.parse(end)]
          : [],
      );
      flips += ends.length;
      const fired = firings.filter(({ group }) => group === symbol).map(({ at }) => Date.parse(at));
      expect(fired, symbol).toEqual(ends.toReversed());
    }
    expect(flips).toBeGreaterThan(0);
    expect(firings).toHaveLength(flips);
  }, 90_000);
});
