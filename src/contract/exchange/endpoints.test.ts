import { describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName } from './endpoints.ts';
import { toRowShape } from '../parse/row-check.ts';
import { toShape, type Shape } from './schema.ts';

/**
 * The interface document, copied by hand clause by clause. The table must match it exactly. A field is written as its
 * JSON types and, for an amount, its unit.
 */

const PRICE: Readonly<Record<string, string>> = {
  'date': 'string',
  'time': 'string',
  'ohlc.open': 'string usd',
  'ohlc.high': 'string usd',
  'ohlc.low': 'string usd',
  'ohlc.close': 'string usd',
  'ohlc.volume': 'integer contracts',
  'settlementPrice': 'string usd',
};
const VOI: Readonly<Record<string, string>> = {
  date: 'string',
  productId: 'integer',
  baseSymbol: 'string',
  volume: 'integer|null contracts',
  notionalVolume: 'integer|null cents',
  openInterest: 'integer|null contracts',
  notionalOpenInterest: 'integer|null cents',
};
const FUNDING: Readonly<Record<string, string>> = {
  product_id: 'integer',
  price_index: 'number ticks',
  mark_price: 'number ticks',
  interest_rate: 'number rate per interval',
  funding_rate: 'number rate per interval',
  interval_start: 'string',
  interval_end: 'string',
};
const ESTIMATE: Readonly<Record<string, string>> = {
  funding_rate: 'number rate per interval',
  interval_start: 'string',
  interval_end: 'string',
};
const ORDER: Readonly<Record<string, string>> = {
  symbol: 'string',
  time: 'string',
  last_modified: 'string',
  product_id: 'integer',
  product_type: 'string (Future Spread Option)',
  id: 'string',
  connection_id: 'string',
  clearing_firm_code: 'string',
  account_id: 'string',
  open_ack_id: 'string',
  side: 'string (Bid Ask)',
  price: 'integer ticks',
  avg_price: 'number|null ticks',
  quantity_requested: 'integer contracts',
  quantity_filled: 'integer contracts',
  status: 'string (Working Closed)',
  time_in_force: 'string (IOC Day GTC)',
};
const STATS: Readonly<Record<string, string>> = {
  productId: 'integer',
  volume: 'integer|null contracts',
  notionalVolume: 'number|null usd',
};

const RANGE = ['begin_time', 'end_time'];
const FILTERS = ['symbol', 'product_id', 'product_type', 'clearing_member_code', 'account_id', 'connection_id'];

/** Valid values; only end_time accepts `now`. */
const GOOD_VALUES: Readonly<Record<string, readonly string[]>> = {
  product_id: ['1', '5599'],
  base_symbol: ['BTCUC', 'BUS'],
  limit: ['1', '100', '1000'],
  begin_time: ['2026-08-17T00:00:00Z', '2026-08-17T23:45:21.496334704Z'],
  end_time: ['now', '2026-08-17T00:00:00Z'],
  order: ['asc', 'desc'],
  cursor: ['eyJ0IjoxNzg2fQ==', 'eyJ0IjoxNzg2fQ%3D%3D'],
  symbol: ['PBTCUCZ50', 'BUSH27-BUSM27', 'BUSH27 C 100000'],
  product_type: ['Future', 'Spread', 'Option'],
  clearing_member_code: ['ACME', 'A&B 17'],
  account_id: ['HALC-101', 'desk/7'],
  connection_id: ['3f', 'DEADBEEF'],
  day: ['2026-08-17', '2024-02-29'],
};

interface Clause {
  readonly path: string;
  readonly mount: Endpoint['mount'];
  readonly query: readonly string[];
  readonly form: 'list' | 'page' | 'one';
  readonly fields: Readonly<Record<string, string>>;
  readonly access: Endpoint['access'];
  readonly stability: Endpoint['stability'];
}

const web = { mount: 'web', access: 'public', stability: 'draft' } as const;
const funding = { mount: 'funding', access: 'public', stability: 'stable' } as const;
const orders = { mount: 'orders', access: 'signed', stability: 'stable' } as const;

const CLAUSES: Readonly<Partial<Record<EndpointName, Clause>>> = {
  chartPrice: { ...web, path: '/web/charts/price/:id', query: RANGE, form: 'list', fields: PRICE },
  chartVoi: { ...web, path: '/web/charts/voi', query: ['product_id', ...RANGE], form: 'list', fields: VOI },
  fundingRates: {
    ...funding,
    path: '/funding-rates/',
    query: ['product_id', 'base_symbol', 'limit', ...RANGE, 'order', 'cursor'],
    form: 'page',
    fields: FUNDING,
  },
  fundingEstimated: {
    ...funding,
    path: '/funding-rates/estimated/:base_symbol',
    query: [],
    form: 'one',
    fields: ESTIMATE,
  },
  orders: {
    ...orders,
    path: '/orders',
    query: [...FILTERS, 'day', 'limit', ...RANGE, 'order', 'cursor'],
    form: 'page',
    fields: ORDER,
  },
  ordersWorking: {
    ...orders,
    path: '/orders/working',
    query: FILTERS,
    form: 'list',
    fields: { ...ORDER, time_in_force: 'string (Day GTC)' },
  },
  trailingStatsAll: {
    ...web,
    path: '/web/market/stats/trailing/all-products',
    query: [],
    form: 'list',
    fields: STATS,
  },
  trailingStats: { ...web, path: '/web/market/stats/trailing/:product_id', query: [], form: 'one', fields: STATS },
};
const SPECIFIED = Object.entries(CLAUSES).map(([name, clause]) => ({ name: name as EndpointName, clause }));

test('the endpoints of the interface come first, in its order, and are not optional', () => {
  expect(ENDPOINT_NAMES.filter((name) => !ENDPOINTS[name].optional)).toEqual(SPECIFIED.map(({ name }) => name));
  expect(ENDPOINT_NAMES.slice(SPECIFIED.length)).toEqual([
    'productSpecs',
    'productSpec',
    'productDataAll',
    'productData',
  ]);
});

describe.each(SPECIFIED)('$name', ({ name, clause }) => {
  const endpoint: Endpoint = ENDPOINTS[name];

  test('has the method, path and access of its clause', () => {
    const { method, path, mount, access, stability } = endpoint;
    expect({ method, path, mount, access, stability }).toEqual({
      method: 'GET',
      path: clause.path,
      mount: clause.mount,
      access: clause.access,
      stability: clause.stability,
    });
    expect(Object.keys(endpoint.query)).toEqual(clause.query);
  });

  test('accepts the values of its clause for each parameter', () => {
    for (const [parameter, { grammar }] of Object.entries(endpoint.query)) {
      expect(
        GOOD_VALUES[parameter]?.filter((value) => !grammar.accepts(value)),
        parameter,
      ).toEqual([]);
    }
    expect(endpoint.query['begin_time']?.grammar.accepts('now') ?? false).toBe(false);
  });

  test('allows repetition only of the product ids of the volume chart', () => {
    const repeatable = Object.keys(endpoint.query).filter((parameter) => endpoint.query[parameter]?.repeatable);
    expect(repeatable).toEqual(name === 'chartVoi' ? ['product_id'] : []);
  });

  test('returns its resource, field by field', () => {
    const shape = toShape(endpoint.response);
    const rows = { list: shape.items, page: shape.properties?.['data']?.items, one: shape };
    expect(describeFields(rows[clause.form] ?? {})).toEqual(clause.fields);
    expect(endpoint.paged).toBe(clause.form === 'page');
    if (clause.form === 'page')
      expect(describeFields(shape.properties?.['pagination'] ?? {})).toEqual({ cursor: 'string|null' });
  });

  test('may be reused for seconds only', () => {
    expect(endpoint.reuseSeconds).toBeGreaterThan(0);
    expect(endpoint.reuseSeconds).toBeLessThanOrEqual(endpoint.access === 'signed' ? 5 : 60);
  });
});

test('only public responses for a time range become final, those with open interest days later', () => {
  const settled = ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].settled !== null);
  expect(settled).toEqual(['chartPrice', 'chartVoi', 'fundingRates']);
  for (const name of settled) {
    expect(Object.keys(ENDPOINTS[name].query)).toContain('end_time');
    expect(ENDPOINTS[name].access).toBe('public');
  }
  expect(ENDPOINTS.chartVoi.settled.afterSeconds).toBeGreaterThan(4 * 86_400);
});

test('a newer row is due of every response about the present whose rows have a date of their own', () => {
  const dated = ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].due !== null);
  expect(dated).toEqual([
    'chartPrice',
    'chartVoi',
    'fundingRates',
    'fundingEstimated',
    'productDataAll',
    'productData',
  ]);
});

test('the fields that decide whether a response is final exist in its rows', () => {
  const endpoints: readonly Endpoint[] = Object.values(ENDPOINTS);
  for (const { settled, rows, response } of endpoints) {
    if (settled === null) continue;
    expect(Object.keys(toRowShape(response).properties ?? {})).toEqual(
      expect.arrayContaining([rows.timeField, ...settled.lateFields]),
    );
  }
});

test('every amount of every endpoint has its unit, including optional endpoints', () => {
  const spec = describeFields(toShape(ENDPOINTS.productSpec.response));
  expect(spec).toMatchObject({
    price_increment: 'number usd per tick',
    strike_price: 'integer ticks',
    max_order_quantity: 'integer contracts',
  });
  const data = describeFields(toShape(ENDPOINTS.productData.response));
  const amounts = Object.entries(data).filter(([, form]) => /number|integer/.test(form) && form !== 'integer');
  for (const [field, form] of amounts) {
    const unit = field.includes('notional') ? 'cents' : /volume|interest/.test(field) ? 'contracts' : 'ticks';
    expect(form.split('null ')[1], field).toBe(unit);
  }
  expect(amounts).toHaveLength(14);
});

function describeFields(shape: Shape, prefix = ''): Record<string, string> {
  const entries = Object.entries(shape.properties ?? {}).flatMap(([name, field]): [string, string][] =>
    field.properties
      ? Object.entries(describeFields(field, `${prefix}${name}.`))
      : [[prefix + name, describeField(field)]],
  );
  return Object.fromEntries(entries);
}

function describeField({ type, 'enum': values, 'x-unit': unit }: Shape): string {
  const types = [type ?? []].flat().join('|');
  return [types, values && `(${values.join(' ')})`, unit].filter((part) => part !== undefined).join(' ');
}

test('a value that may be withheld is a field of the row itself', () => {
  const nested = ENDPOINT_NAMES.flatMap((name) =>
    Object.values(toRowShape(ENDPOINTS[name].response).properties ?? {})
      .flatMap((field) => Object.values(field.properties ?? field.items?.properties ?? {}))
      .filter(({ type, minimum }) => minimum !== undefined && Array.isArray(type)),
  );
  expect(nested).toEqual([]);
});
