import type { DeskProduct } from '#contract/desk.ts';
import { createPriceChecks } from '#domain/markets/market-prices.ts';
import { createMarketPriceOf } from '#domain/orders/market-price.ts';
import { createTerms, type TermsOf } from '#domain/orders/order-terms.ts';
import { isMissing, type MarketReading, type Missing } from '#domain/rules/readings.ts';
import { remember } from './remember.ts';
import { DAILY_VALUES, LATEST_RATES, PRODUCT_DATA, PRODUCTS } from './rule-topics.ts';
import { createTopicParsers, toSourced, type TopicReadings } from './topic-readings.ts';

/** What the market says of products: the terms of their orders, and their trading data. */
export interface MarketTerms {
  readonly termsOf: (now: number) => TermsOf;
  readonly market: (now: number) => MarketReading | Missing;
  /** Why prices are not known; null where they are. */
  readonly pricesMissing: (now: number) => string | null;
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
const UNREADABLE: Missing = { missing: 'The exchange’s response could not be read.' };

export function createMarketTerms({ find }: Pick<TopicReadings, 'find'>): MarketTerms {
  const parse = createTopicParsers();
  const toData = remember((read: ReturnType<typeof find>) => toSourced('productDataAll', read, parse.productData));
  const toVoi = remember((read: ReturnType<typeof find>) => toSourced('chartVoi', read, parse.dailyValues));
  const toRates = remember((read: ReturnType<typeof find>) => toSourced('fundingRates', read, parse.latestRates));
  const toTerms = remember((products: readonly DeskProduct[], data: ReturnType<typeof toData>, voi: ReturnType<typeof toVoi>, funding: ReturnType<typeof toRates>) =>
    createTerms(products, createPriceChecks({ voi, funding, data, sessions: [] }), createMarketPriceOf(data)));
  const toReading = remember((products: readonly DeskProduct[], data: MarketReading['data']): MarketReading => ({ products, data }));

  const findProducts = (now: number): readonly DeskProduct[] | Missing => {
    const read = find(PRODUCTS, now);
    return isMissing(read) ? read : (parse.products(read.text)?.products ?? UNREADABLE);
  };

  const market = (now: number): MarketReading | Missing => {
    const [products, read] = [findProducts(now), find(PRODUCT_DATA, now)];
    if ('missing' in products) return products;
    if (isMissing(read)) return read;
    const data = toData(read);
    return data === undefined ? UNREADABLE : toReading(products, data);
  };

  return {
    market,
    termsOf: (now) => {
      const products = findProducts(now);
      return toTerms('missing' in products ? NO_PRODUCTS : products, toData(find(PRODUCT_DATA, now)), toVoi(find(DAILY_VALUES, now)), toRates(find(LATEST_RATES, now)));
    },
    pricesMissing: (now) => {
      const found = market(now);
      return isMissing(found) ? found.missing : null;
    },
  };
}
