import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { areaOf, asQuery, expectThat, need, type Check, type Context } from './check.ts';
import { daysAgo, validRequest, PAGE } from './samples.ts';

const check = areaOf('ranges');

export type RangedName = {
  [Name in EndpointName]: 'end_time' extends keyof (typeof ENDPOINTS)[Name]['query'] ? Name : never;
}[EndpointName];

/** The fields that identify a row. */
const KEYS: Readonly<Record<RangedName, readonly string[]>> = {
  chartPrice: ['date'],
  chartVoi: ['date', 'productId'],
  fundingRates: ['interval_end', 'product_id'],
  orders: ['id'],
};

export const RANGED_NAMES = ENDPOINT_NAMES.filter((name): name is RangedName => 'end_time' in ENDPOINTS[name].query);

/** Half a page, so that rows which arrive before the next request cannot push any off that page. */
const HALF_A_PAGE = '50';

/** The keys of the rows of the last days; of paged lists, the newest rows. */
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

/** One check per endpoint with a range. */
export const rangeChecks: readonly Check[] = RANGED_NAMES.map((name) =>
  check('interface', `${ENDPOINTS[name].path}: end_time=now returns every row`, async (context) => {
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
