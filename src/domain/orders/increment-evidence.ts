import { toNumber } from '#contract/brand.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { FundingRateData } from '#contract/funding.ts';
import { compareInstants } from '#contract/instant.ts';
import type { ProductData } from '#contract/product.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import type { IncrementCheck } from '../increment-check.ts';
import { toMarketPrices } from '../market-prices.ts';
import type { Source } from '../source.ts';
import { groupByProduct } from '../voi.ts';

type Sourced<T> = Source & { readonly value: T };

/** Answers that tell a product's price in ticks, and in USD without its increment. Not every venue offers all. */
export interface IncrementAnswers {
  readonly voi: Sourced<readonly VOIDataPoint[]> | undefined;
  readonly funding: Sourced<{ readonly data: readonly FundingRateData[] }> | undefined;
  readonly data: Sourced<readonly ProductData[]> | undefined;
}

/** Holds the published increment of a product against what the venue tells elsewhere. */
export function createIncrementChecks({ voi, funding, data }: IncrementAnswers): (product: DeskProduct) => IncrementCheck {
  const daysById = groupByProduct(voi?.value ?? []);
  const printsById = new Map(funding?.value.data.toSorted((a, b) => compareInstants(a.interval_end, b.interval_end)).map((row) => [toNumber(row.product_id), row]));
  const dataById = new Map(data?.value.map((row) => [toNumber(row.product_id), row]));
  return (product) => {
    const id = toNumber(product.product_id);
    return toMarketPrices({ product, days: daysById.get(id) ?? [], voi, data, row: dataById.get(id), funding, prints: printsById.get(id) }).check;
  };
}
