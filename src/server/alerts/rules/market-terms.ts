import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { findCheckedSessions } from '#model/checks/checked-sessions.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { createMarketPriceOf } from '#model/orders/market-price.ts';
import { createTerms, type TermsOf } from '#model/orders/order-terms.ts';
import { isMissing, type MarketReading, type Missing } from '#model/rules/readings.ts';
import { remember } from './remember.ts';
import { DAILY_VALUES, LATEST_RATES, PRODUCT_DATA, PRODUCTS, settledSession, type NeededTopic } from './rule-topics.ts';
import { createTopicParsers, parseProductData, toSourced, type TopicReadings } from './topic-readings.ts';

/** What the market says of products: the terms of their orders, and their trading data. */
export interface MarketTerms {
  readonly termsOf: (now: number) => TermsOf;
  readonly market: (now: number) => MarketReading | Missing;
  /** The settled sessions that tick sizes are checked with. */
  readonly sessions: (now: number) => readonly NeededTopic[];
  /** Why prices are not known; null where they are. */
  readonly pricesMissing: (now: number) => string | null;
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
const NO_SESSIONS: readonly NeededTopic[] = [];
const UNREADABLE: Missing = { missing: 'The exchange’s response could not be read.' };

export function createMarketTerms({ find, isTried }: Pick<TopicReadings, 'find' | 'isTried'>): MarketTerms {
  const parse = createTopicParsers();
  const toData = remember((read: ReturnType<typeof find>) => toSourced('productDataAll', read, parse.productData));
  const toVoi = remember((read: ReturnType<typeof find>) => toSourced('chartVoi', read, parse.dailyValues));
  const toRates = remember((read: ReturnType<typeof find>) => toSourced('fundingRates', read, parse.latestRates));
  const toSessions = remember((data: ReturnType<typeof toData>, voi: ReturnType<typeof toVoi>) =>
    findCheckedSessions(voi?.value ?? [], data?.value ?? []).map(settledSession),
  );
  const readSessions = createSessionReader(find);
  const toTerms = remember(
    (
      products: readonly DeskProduct[],
      data: ReturnType<typeof toData>,
      voi: ReturnType<typeof toVoi>,
      funding: ReturnType<typeof toRates>,
      sessions: SettledSessions,
    ) => createTerms(products, createPriceChecks({ voi, funding, data, sessions }), createMarketPriceOf(data)),
  );
  const toReading = remember((products: readonly DeskProduct[], data: MarketReading['data']): MarketReading => ({
    products,
    data,
  }));

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

  const sessions = (now: number): readonly NeededTopic[] =>
    isTried(PRODUCT_DATA) && isTried(DAILY_VALUES)
      ? toSessions(toData(find(PRODUCT_DATA, now)), toVoi(find(DAILY_VALUES, now)))
      : NO_SESSIONS;

  return {
    market,
    sessions,
    termsOf: (now) => {
      const products = findProducts(now);
      return toTerms(
        'missing' in products ? NO_PRODUCTS : products,
        toData(find(PRODUCT_DATA, now)),
        toVoi(find(DAILY_VALUES, now)),
        toRates(find(LATEST_RATES, now)),
        readSessions(sessions(now), now),
      );
    },
    pricesMissing: (now) => {
      const found = market(now);
      return isMissing(found) ? found.missing : null;
    },
  };
}

type SettledSessions = readonly (readonly ProductData[])[];

/** A session that cannot be read is left out, as on the screens. Sessions that have not changed are the same object. */
function createSessionReader(
  find: TopicReadings['find'],
): (topics: readonly NeededTopic[], now: number) => SettledSessions {
  let known = new Map<string, readonly ProductData[] | null>();
  let last: SettledSessions = [];
  return (topics, now) => {
    const texts = topics.flatMap((topic) => {
      const read = find(topic, now);
      return isMissing(read) ? [] : [read.text];
    });
    known = new Map(texts.map((text) => [text, known.has(text) ? (known.get(text) ?? null) : parseProductData(text)]));
    const sessions = [...known.values()].filter((rows) => rows !== null);
    if (sessions.length !== last.length || sessions.some((rows, index) => rows !== last[index])) last = sessions;
    return last;
  };
}
