import { ENDPOINT_NAMES, type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { areaOf, asQuery, type Check, type Context, expectSame, expectThat, need } from './check.ts';
import { daysAgo, PAGE, validRequest } from './samples.ts';

const checkShape = areaOf('shapes');

/** One check for each endpoint. */
export const shapeChecks: readonly Check[] = ENDPOINT_NAMES.map((name) =>
  checkShape(
    ENDPOINTS[name].optional ? 'venue facts' : 'interface',
    `${ENDPOINTS[name].path} matches its schema, as JSON`,
    async (context) => {
      const request = await validRequest(context, name);
      const value = await context.read(name, request);
      const { headers, requestLine } = await context.probe.request(request);
      const type = headers.get('content-type') ?? 'nothing';
      expectThat(type.startsWith('application/json'), `${requestLine} has the content type ${type}`);
      const rows = Array.isArray(value) ? value : 'data' in value ? value.data : [value];
      expectThat(rows.length > 0 || name === 'ordersWorking', `${requestLine} returned no row to check`);
      return `${String(rows.length)} rows`;
    },
  ),
);

export const headChecks: readonly Check[] = [
  checkShape('decision', 'HEAD responds like GET, without a body', async ({ probe }) => {
    const request = { name: 'trailingStatsAll' } as const;
    const head = await probe.send({ method: 'HEAD', path: probe.pathOf(request) });
    expectSame([head.status, head.text], [200, ''], head.requestLine);
    expectSame(
      head.headers.get('content-type'),
      (await probe.request(request)).headers.get('content-type'),
      'content type',
    );
  }),
];

const checkRange = areaOf('ranges');

export type RangedName = {
  [Name in EndpointName]: 'end_time' extends keyof (typeof ENDPOINTS)[Name]['query'] ? Name : never;
}[EndpointName];

/** The fields that identify a row of each endpoint. */
const KEYS: Readonly<Record<RangedName, readonly string[]>> = {
  chartPrice: ['date'],
  chartVoi: ['date', 'productId'],
  fundingRates: ['interval_end', 'product_id'],
  orders: ['id'],
};

export const RANGED_NAMES = ENDPOINT_NAMES.filter((name): name is RangedName => 'end_time' in ENDPOINTS[name].query);

/** Half a page, so that rows which arrive between two requests cannot push any of these off the next page. */
const HALF_A_PAGE = '50';

/** Returns the keys of the rows of the last 20 days, or of the newest rows if the list is paged. */
async function keysOf(
  context: Context,
  name: RangedName,
  limit: string,
  end: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const page = ENDPOINTS[name].paged ? { order: 'desc', limit } : {};
  const query = asQuery({ begin_time: daysAgo(context, 20), ...end, ...page });
  const value = await context.read(name, { ...(await validRequest(context, name)), query });
  const rows: readonly object[] = 'data' in value ? value.data : value;
  return rows.map((row) =>
    JSON.stringify(KEYS[name].map((field) => (row as Readonly<Record<string, unknown>>)[field])),
  );
}

/** One check for each endpoint with a range. */
export const rangeChecks: readonly Check[] = RANGED_NAMES.map((name) =>
  checkRange('interface', `${ENDPOINTS[name].path}: end_time=now returns every row`, async (context) => {
    const before = await keysOf(context, name, HALF_A_PAGE, {});
    need(before[0], 'row in twenty days');
    const found = new Set(await keysOf(context, name, PAGE, { end_time: 'now' }));
    const missing = before.filter((key) => !found.has(key));
    expectThat(
      missing.length === 0,
      `${String(missing.length)} of ${String(before.length)} rows are missing, such as ${missing[0] ?? ''}`,
    );
    return `${String(before.length)} rows`;
  }),
);
