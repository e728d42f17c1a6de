import type { RatePerInterval } from '#contract/exchange/amounts.ts';
import { FUNDING_INTERVAL_HOURS, type FundingRateData } from '#contract/exchange/market-data.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import {
  areaOf,
  asQuery,
  type Check,
  type Context,
  DAY_MS,
  expectEach,
  expectSame,
  expectSorted,
  expectThat,
  median,
  need,
} from './check.ts';
import { toRawQuery } from './probe.ts';
import {
  baseSymbolOf,
  closedRange,
  daysAgo,
  PAGE,
  type Perpetual,
  perpetuals,
  seasonedPerpetual,
  seasonedPerpetuals,
  walkPages,
} from './samples.ts';

const check = areaOf('funding');
const INTERVAL_MS = FUNDING_INTERVAL_HOURS * 3_600_000;

async function history(
  context: Context,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly FundingRateData[]> {
  const { id } = await seasonedPerpetual(context);
  const parameters = asQuery({ product_id: id, begin_time: daysAgo(context, 20), limit: PAGE, ...query });
  return (await context.read('fundingRates', { query: parameters })).data;
}

const end = (row: FundingRateData) => Date.parse(row.interval_end);

/** How long after the end of an interval its predicted rate may still be the latest, until the rate settles. */
const SETTLED_WITHIN_MS = 15 * 60_000;
/** A single rate may be extreme, but the median never is: this bound is 547 % a year. */
const LARGEST_USUAL_RATE = 0.005;

function expectUsual(rates: readonly RatePerInterval[]): void {
  const sizes = rates.map((rate) => Math.abs(Number(rate)));
  const usual = need(median(sizes), 'rate');
  expectThat(usual < LARGEST_USUAL_RATE, `half of the rates are larger than ${String(usual)} per interval`);
}

export const fundingChecks: readonly Check[] = [
  check('interface', 'without begin_time, only the latest rate of each product', async (context) => {
    const { data } = await context.read('fundingRates');
    const ids = data.map((row) => String(row.product_id));
    expectSame(new Set(ids).size, ids.length, 'number of distinct products, of rows');
    expectEach(data, 'settled within two intervals', (row) => end(row) > context.probe.now() - 2 * INTERVAL_MS);
    const latest = Math.max(...data.map(end));
    // Rates come latest first, so these pages suffice to reveal one product that the list lacks.
    const pages = 1 + Math.floor(ids.length / Number(PAGE));
    const settled = await walkPages<FundingRateData>(
      context,
      'fundingRates',
      { begin_time: daysAgo(context, 1), limit: PAGE },
      pages,
    );
    const missing = settled.rows.find((row) => end(row) === latest && !ids.includes(String(row.product_id)));
    expectThat(
      missing === undefined,
      `product ${String(missing?.product_id)} has a rate for the latest interval and is missing`,
    );
    return `${String(ids.length)} perpetuals`;
  }),
  check('interface', 'intervals last eight hours and begin at 00:00, 08:00 and 16:00 UTC', async (context) => {
    expectEach(
      await history(context),
      'aligned',
      (row) => end(row) % INTERVAL_MS === 0 && end(row) - Date.parse(row.interval_start) === INTERVAL_MS,
    );
  }),
  check('interface', 'the interval in progress is not in history', async (context) => {
    const rows = await history(context);
    expectThat(rows.length > 0, 'no rows in 20 days');
    expectEach(rows, 'ended', (row) => end(row) <= context.probe.now());
  }),
  check('interface', 'history has no gaps and is latest first', async (context) => {
    expectSorted(await history(context), 'each interval ends where the one before it begins', (a, b) =>
      a.interval_start === b.interval_end ? -1 : 1,
    );
  }),
  check('interface', 'order=asc is the same history in reverse', async (context) => {
    const range = closedRange(context);
    expectSame(
      await history(context, { ...range, order: 'asc' }),
      (await history(context, range)).toReversed(),
      'rows',
    );
  }),
  check('interface', 'rows are within the requested range', async (context) => {
    const [from, until] = [daysAgo(context, 10), daysAgo(context, 5)];
    const rows = await history(context, { begin_time: from, end_time: until });
    expectThat(rows.length > 0, 'no rows in five days');
    expectEach(
      rows,
      'within the range',
      (row) => end(row) >= Date.parse(from) && Date.parse(row.interval_start) <= Date.parse(until),
    );
  }),
  check('interface', 'base_symbol and product_id of one perpetual return the same rows', async (context) => {
    const { id } = await seasonedPerpetual(context);
    const baseSymbol = await baseSymbolOf(context, id);
    const range = closedRange(context);
    const byId = await history(context, range);
    const bySymbol = await context.read('fundingRates', {
      query: asQuery({ base_symbol: baseSymbol, ...range, limit: PAGE }),
    });
    expectSame(bySymbol.data, byId, 'rows');
    expectEach(byId, `product ${id}`, (row) => String(row.product_id) === id);
  }),
  check('interface', 'pages return every row once, then end', async (context) => {
    const range = closedRange(context);
    const all = await history(context, range);
    const { id } = await seasonedPerpetual(context);
    const walked = await walkPages<FundingRateData>(
      context,
      'fundingRates',
      { product_id: id, ...range, limit: '20' },
      10,
    );
    expectSame(walked.rows, all, 'rows of all pages');
    return `${String(walked.pages)} pages, ${walked.end}`;
  }),
  check('interface', 'limit sets the page size', async (context) => {
    expectSame((await history(context, { limit: '5' })).length, 5, 'rows');
  }),
  check(
    'interface',
    'the predicted rate covers the current interval, which follows the last settled one',
    async (context) => {
      const { id, latest } = await seasonedPerpetual(context);
      const baseSymbol = await baseSymbolOf(context, id);
      const estimate = await context.read('fundingEstimated', { path: { base_symbol: baseSymbol } });
      const now = context.probe.now();
      expectThat(Date.parse(estimate.interval_start) <= now + 1_000, 'its interval has not begun');
      expectThat(Date.parse(estimate.interval_end) > now - SETTLED_WITHIN_MS, 'its interval has ended');
      expectThat(
        compareInstants(estimate.interval_start, latest.interval_end) >= 0,
        'its interval begins before the last settled one ends',
      );
    },
  ),
  check('venue facts', 'the interest rate is 0.0001', async (context) => {
    expectEach(await history(context), 'interest rate of 0.0001', (row) => Number(row.interest_rate) === 0.0001);
  }),
  check('interface', 'rates are fractions per interval, of a plausible size', async (context) => {
    expectUsual((await history(context)).map((row) => row.funding_rate));
  }),
  check('interface', 'predicted rates are fractions per interval, of a plausible size', async (context) => {
    const some = (await seasonedPerpetuals(context)).slice(0, 5);
    const read = async ({ id }: Perpetual) =>
      context.read('fundingEstimated', { path: { base_symbol: await baseSymbolOf(context, id) } });
    expectUsual((await Promise.all(some.map(read))).map((estimate) => estimate.funding_rate));
  }),
  check('decision', 'a page has 100 rows by default', async (context) => {
    const { data } = await context.read('fundingRates', { query: asQuery({ begin_time: daysAgo(context, 20) }) });
    expectSame(data.length, 100, 'rows');
  }),
  check('decision', 'products other than perpetuals have no predicted rate', async (context) => {
    const ids = new Set((await perpetuals(context)).map(({ id }) => id));
    const other = (await context.read('chartVoi')).find(({ productId }) => !ids.has(String(productId)));
    const baseSymbol = need(other, 'product that is not a perpetual').baseSymbol;
    const response = await context.probe.request({ name: 'fundingEstimated', path: { base_symbol: baseSymbol } });
    expectSame(response.status, 404, response.requestLine);
  }),
  check('decision', 'a cursor is refused with another filter', async (context) => {
    const { pagination } = await context.read('fundingRates', {
      query: asQuery({ begin_time: daysAgo(context, 20), limit: '5' }),
    });
    const cursor = need(pagination.cursor, 'second page');
    const path = context.probe.pathOf({ name: 'fundingRates' });
    const rawQuery = toRawQuery(
      asQuery({ begin_time: new Date(context.probe.now() - DAY_MS).toISOString(), limit: '5', cursor }),
    );
    expectSame((await context.probe.send({ path, rawQuery })).status, 400, 'status');
  }),
];
