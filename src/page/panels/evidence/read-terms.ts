import type { Api } from '#page/client/create-api.ts';
import { ifOffered } from '#page/client/recorded/if-offered.ts';
import { readDaily } from '#page/client/recorded/read-daily.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { createMarketPriceOf } from '#model/orders/market-price.ts';
import { createTerms, type TermsOf } from '#model/orders/order-terms.ts';
import type { Source } from '#model/source.ts';

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
