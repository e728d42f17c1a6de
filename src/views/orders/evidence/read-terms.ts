import type { Api } from '#api/create-api.ts';
import { ifOffered } from '#api/recorded/if-offered.ts';
import { readDaily } from '#api/recorded/read-daily.ts';
import { createPriceChecks } from '#domain/markets/market-prices.ts';
import { createMarketPriceOf } from '#domain/orders/market-price.ts';
import { createTerms, type TermsOf } from '#domain/orders/order-terms.ts';
import type { Source } from '#domain/source.ts';

interface ReadTerms {
  readonly termsOf: TermsOf;
  readonly directory: Source | undefined;
}

/** What the figures of orders depend on besides the orders, as the lists read it. */
export async function readTerms(api: Api): Promise<ReadTerms> {
  const [directory, daily] = await Promise.all([ifOffered(api.desk.products({})), readDaily(api)]);
  return {
    termsOf: createTerms(directory?.value.products ?? [], createPriceChecks(daily), createMarketPriceOf(daily.data)),
    directory,
  };
}
