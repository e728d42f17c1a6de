import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { FundingRateData, ProductTrailingStats } from '#contract/exchange/market-data.ts';
import { countOf, nameSome } from '../format/count.ts';
import { toMillis } from '../time/session.ts';

interface CurrentData {
  readonly trailing?: readonly Pick<ProductTrailingStats, 'productId' | 'volume'>[] | undefined;
  readonly funding?: readonly Pick<FundingRateData, 'product_id' | 'interval_end'>[] | undefined;
}

/**
 * Finds the products that trade, or whose funding settled last, although a list does not have them. Older rates may be
 * of perpetuals that are no longer listed.
 */
export function findUnlisted(
  listed: ReadonlySet<number>,
  { trailing = [], funding = [] }: CurrentData,
): readonly number[] {
  const newest = funding.reduce<FundingRateData['interval_end'] | null>(
    (last, { interval_end: end }) => (last !== null && compareInstants(last, end) >= 0 ? last : end),
    null,
  );
  const current = [
    ...trailing.filter(({ volume }) => volume !== null).map(({ productId }) => toNumber(productId)),
    ...funding.filter(({ interval_end: end }) => end === newest).map(({ product_id: id }) => toNumber(id)),
  ];
  return [...new Set(current)].filter((id) => !listed.has(id));
}

const DAY_MS = 86_400_000;

/** Finds the products that are marked as expired, although their final settlement is to come or they have traded. */
export function findTooEarlyExpired<
  Product extends Pick<DeskProduct, 'product_id' | 'product_status' | 'final_settle_time'>,
>(products: readonly Product[], { trailing = [] }: CurrentData, now: number): readonly Product[] {
  const traded = new Set(trailing.filter(({ volume }) => volume !== null).map(({ productId }) => toNumber(productId)));
  return products.filter(({ product_id: id, product_status: status, final_settle_time: settles }) => {
    if (status !== 'expired') return false;
    // The statistics still have the trades of the last day.
    const settlesIn = settles === undefined ? -Infinity : toMillis(settles) - now;
    return settlesIn > DAY_MS || (traded.has(toNumber(id)) && settlesIn < -2 * DAY_MS);
  });
}

/** Describes products that are marked as expired too early; null if none are. */
export function describeTooEarlyExpired(names: readonly string[]): ReturnType<typeof describeUnlisted> {
  if (names.length === 0) return null;
  const [is, trade] = names.length === 1 ? ['is', 'trades'] : ['are', 'trade'];
  return {
    title: `${countOf(names.length, 'product')} marked as expired ${is} in doubt.`,
    text: `According to the exchange’s other data, ${nameSome(names)} still ${trade}.`,
  };
}

/** Describes products that are missing from a list; null if none are. */
export function describeUnlisted(ids: readonly number[]): { readonly title: string; readonly text: string } | null {
  if (ids.length === 0) return null;
  return {
    title: `${countOf(ids.length, 'product')} with data ${ids.length === 1 ? 'is' : 'are'} not listed.`,
    text: `The exchange’s list of products lacks ${nameSome(ids.map((id) => `product ${String(id)}`))}, so totals do too.`,
  };
}
