import { DESK_ENDPOINTS } from './desk.ts';
import { ENDPOINTS, type EndpointName } from '../exchange/endpoints.ts';
import type { Grammar, Parameter } from '../exchange/parameters.ts';

/** Alerts take no parameters. Their endpoint is in a table that the first screen does not load. */
type DeskEndpointName = keyof typeof DESK_ENDPOINTS | 'alerts';

/** A response that is read once for all of its followers and pushed as it changes. */
export interface Topic {
  readonly summary: string;
  /** The endpoint whose response is pushed, under the name that a page uses. */
  readonly endpoint: EndpointName | `desk/${DeskEndpointName}`;
  /** How often it is read while it has followers, if the budget allows. */
  readonly everySeconds: number;
  /**
   * How many times as important it is as the least important topic, when the budget limits how often topics are read.
   */
  readonly importance: number;
  /** The field that identifies a row; null if the response has no rows, or too few to compare. */
  readonly key: string | null;
  /** The field that contains a row's account, or orders with one; null if the response is public. */
  readonly account: string | null;
}

const ofMarket = { everySeconds: 20, importance: 2, account: null } as const;

const ofDays = { everySeconds: 900, importance: 1, account: null } as const;

export const TOPICS = {
  'working-orders': {
    summary: 'All working orders, with the completeness check.',
    endpoint: 'desk/working',
    // Slightly longer than a response stays fresh.
    everySeconds: 5,
    importance: 16,
    key: 'id',
    account: 'account_id',
  },
  'trailing-stats': {
    ...ofMarket,
    summary: 'Volume of all active products in the last 24 hours.',
    endpoint: 'trailingStatsAll',
    key: 'productId',
  },
  'product-data': {
    ...ofMarket,
    summary: 'Trading data of all products.',
    endpoint: 'productDataAll',
    key: 'product_id',
  },
  'product': { ...ofMarket, summary: 'Trading data of one product.', endpoint: 'productData', key: null },
  'funding-estimates': {
    ...ofMarket,
    summary: 'The current funding interval of a perpetual with its predicted rate.',
    endpoint: 'fundingEstimated',
    key: null,
  },
  'funding': {
    ...ofMarket,
    summary: 'Settled funding that the desk stores.',
    endpoint: 'desk/funding',
    everySeconds: 31,
    importance: 1,
    key: 'base_symbol',
  },
  'products': { ...ofDays, summary: 'All products.', endpoint: 'desk/products', key: 'product_id' },
  'volume': { ...ofDays, summary: 'Daily volume and open interest of all products.', endpoint: 'chartVoi', key: null },
  'rates': { ...ofDays, summary: 'The latest settled rate of each perpetual.', endpoint: 'fundingRates', key: null },
  'alerts': {
    summary: 'What rules say.',
    endpoint: 'desk/alerts',
    everySeconds: 10,
    importance: 1,
    key: null,
    account: 'account_id',
  },
  'status': {
    ...ofMarket,
    summary: 'State of the desk and of its exchange.',
    endpoint: 'desk/status',
    everySeconds: 6,
    key: null,
  },
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as readonly TopicName[];

/** Returns the parameters of a topic: those in the path and query of its endpoint. */
export function parametersOf({ endpoint }: Topic): Readonly<Record<string, Parameter>> {
  if (isOfDesk(endpoint)) return tableOf(endpoint)?.query ?? {};
  const { pathParameters, query } = ENDPOINTS[endpoint];
  return { ...pathParameters, ...query };
}

/** Returns the parameters that a topic needs: those in the path of its endpoint. */
export function requiredOf({ endpoint }: Topic): readonly string[] {
  return isOfDesk(endpoint) ? [] : Object.keys(ENDPOINTS[endpoint].pathParameters);
}

/** Returns the field of the response that contains the rows; null if the response is itself the list. */
export function rowsFieldOf({ endpoint }: Topic): string | null {
  return isOfDesk(endpoint) ? (tableOf(endpoint)?.rows ?? null) : null;
}

function tableOf(endpoint: `desk/${DeskEndpointName}`) {
  const name = toDeskName(endpoint);
  return name === 'alerts' ? null : DESK_ENDPOINTS[name];
}

export function isOfDesk(endpoint: Topic['endpoint']): endpoint is `desk/${DeskEndpointName}` {
  return endpoint.startsWith('desk/');
}

export function toDeskName(endpoint: `desk/${DeskEndpointName}`): DeskEndpointName {
  return endpoint.slice('desk/'.length) as DeskEndpointName;
}

/** Returns the name in `name?query`. */
export function topicNameOf(address: string): string {
  return address.split('?', 1)[0] ?? '';
}

const topicGrammar: Grammar = {
  name: 'topic',
  sentence: `one of ${TOPIC_NAMES.join(', ')}, with its parameters after a question mark`,
  shape: { type: 'string' },
  example: 'working-orders?account_id=NORD-105',
  accepts: (text) => Object.hasOwn(TOPICS, topicNameOf(text)),
};

/** Parameters of the stream. */
export const LIVE_PARAMETERS = {
  topic: { grammar: topicGrammar, description: 'A topic to follow. Repeat it to follow several.', repeatable: true },
  fresh: {
    grammar: topicGrammar,
    description: 'One of the topics, of which the client holds nothing: `Last-Event-ID` does not concern it.',
    repeatable: true,
  },
} as const satisfies Record<string, Parameter>;
