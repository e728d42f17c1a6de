import type { EstimatedFundingRateData, FundingRateData } from '#contract/exchange/market-data.ts';
import { type JsonBody, type Plain, Rejection, toInstantText, toJsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findProduct, findSeries } from './products.ts';
import type { FundingInterval, Micros } from '../../core/model.ts';
import type { Exchange } from '../../core/ports.ts';
import { type Paging, type Position, readPaging } from '../paging.ts';
import { afterNow, toMicros, toNanosRange } from '../range.ts';

export function handleFundingEstimated(
  { path }: ApiRequest<'fundingEstimated'>,
  { exchange }: HandlerContext,
): JsonBody {
  for (const product of findSeries(exchange, path.base_symbol)) {
    const estimate = product.kind === 'perpetual' ? exchange.estimate(product.id) : null;
    if (estimate === null) continue;
    const row: Plain<EstimatedFundingRateData> = {
      funding_rate: estimate.rate,
      interval_start: toInstantText(estimate.start),
      interval_end: toInstantText(estimate.end),
    };
    return toJsonBody(row);
  }
  throw new Rejection(404, `${path.base_symbol} has no perpetual with a current funding interval.`);
}

/** Lists the intervals that end within the range, because a rate settles at the end of its interval. */
export async function handleFundingRates(
  request: ApiRequest<'fundingRates'>,
  { exchange, cursors }: HandlerContext,
): Promise<JsonBody> {
  const paging = readPaging('fundingRates', request, cursors);
  const productIds = findPerpetuals(request.query, exchange);
  const { from, until } = toNanosRange(request.query);
  const end = Math.min(afterNow(exchange.now()), until === null ? Infinity : toMicros(until));
  const intervals =
    from === null
      ? cutPage(await readLatest(exchange, productIds, end), paging)
      : await readHistory(exchange, productIds, { from: toMicros(from), until: end }, paging);
  const last = intervals.at(-1);
  const pagination = paging.toPagination({ count: intervals.length, last: last ? toPosition(last) : null });
  return { text: `{"data":${JSON.stringify(intervals.map(toRow))},"pagination":${pagination}}` };
}

function findPerpetuals(
  { product_id: ids, base_symbol: series }: ApiRequest<'fundingRates'>['query'],
  exchange: Exchange,
): number[] {
  let products = [...exchange.products().values()];
  if (ids?.[0] !== undefined) products = [findProduct(exchange, ids[0])];
  if (series?.[0] !== undefined) {
    const inSeries = findSeries(exchange, series[0]);
    products = products.filter((product) => inSeries.includes(product));
  }
  return products.filter(({ kind }) => kind === 'perpetual').map(({ id }) => id);
}

async function readLatest(
  exchange: Exchange,
  productIds: readonly number[],
  until: Micros,
): Promise<readonly FundingInterval[]> {
  if (productIds.length === 0) return [];
  if (until > exchange.now()) return exchange.latestFunding(productIds);
  const latest = productIds.map((id) =>
    exchange.funding({ productIds: [id], from: 0, until, direction: 'desc', limit: 1 }),
  );
  return (await Promise.all(latest)).flat();
}

async function readHistory(
  exchange: Exchange,
  productIds: readonly number[],
  range: { readonly from: Micros; readonly until: Micros },
  { after, direction, limit }: Paging,
): Promise<readonly FundingInterval[]> {
  if (productIds.length === 0) return [];
  const position = after && { after: { end: Number(after[0]), productId: Number(after[1]) } };
  return exchange.funding({ productIds, ...range, direction, limit, ...position });
}

/** Cuts a page from a list in memory, by the same rules as the store. */
function cutPage(rows: readonly FundingInterval[], { after, direction, limit }: Paging): readonly FundingInterval[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows
    .toSorted((a, b) => sign * comparePositions(toPosition(a), toPosition(b)))
    .filter((row) => after === null || sign * comparePositions(toPosition(row), after) > 0)
    .slice(0, limit);
}

function comparePositions(a: Position, b: Position): number {
  return Number(a[0] - b[0]) || Number(a[1] - b[1]);
}

function toPosition({ end, productId }: FundingInterval): Position {
  return [BigInt(end), BigInt(productId)];
}

function toRow(interval: FundingInterval): Plain<FundingRateData> {
  return {
    product_id: interval.productId,
    price_index: interval.index,
    mark_price: interval.mark,
    interest_rate: interval.interestRate,
    funding_rate: interval.rate,
    interval_start: toInstantText(interval.start),
    interval_end: toInstantText(interval.end),
  };
}
