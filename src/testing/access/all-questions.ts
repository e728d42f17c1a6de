import { ACCESS_ENDPOINTS } from '#contract/desk/access.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { toPath } from '#contract/exchange/addresses.ts';
import { TOPICS, type TopicName } from '#contract/desk/topics.ts';

/** An order whose account, firm, connection and id the requests name. */
export interface NamedOrder {
  readonly id: string;
  readonly account_id: string;
  readonly clearing_firm_code: string;
  readonly connection_id: string;
}

type DeskName =
  | keyof typeof DESK_ENDPOINTS
  | keyof typeof RULE_ENDPOINTS
  | keyof typeof ACCESS_ENDPOINTS
  | keyof typeof SAVED_ENDPOINTS;
type Queries = (orders: readonly NamedOrder[], now: string) => readonly string[];

const plain: Queries = () => [''];
const byOwner: Queries = (orders) =>
  orders.flatMap(({ account_id: account, clearing_firm_code: firm, connection_id: connection }) => [
    `?account_id=${account}`,
    `?clearing_member_code=${firm}`,
    `?connection_id=${connection.toUpperCase()}`,
  ]);
const filtered: Queries = (orders, now) => ['', ...byOwner(orders, now)];

/** The queries of each endpoint of Perpdesk. A new endpoint is not covered by this test until it is listed here. */
const DESK_QUERIES: Readonly<Record<DeskName, Queries>> = {
  products: plain,
  funding: plain,
  estimates: plain,
  status: plain,
  policy: plain,
  working: filtered,
  aliases: plain,
  journal: plain,
  journalChanges: (orders, now) => [...filtered(orders, now), '?limit=7', ...orders.map(({ id }) => `?order_id=${id}`)],
  journalActivity: (orders, now) => [
    ...filtered(orders, now),
    '?by=account_id&by=clearing_member_code&by=connection_id',
  ],
  journalOrder: (orders) => orders.map(({ id }) => `?order_id=${id}`),
  journalBook: (_, now) => [`?at=${now}`],
  journalPrices: (_, now) => [`?at=${now}`],
  observedPrices: (_, now) => [`?product_id=1&begin_time=2026-08-17T00:00:00Z&end_time=${now}`],
  calls: plain,
  callDeliveries: plain,
  rules: plain,
  ruleChanges: plain,
  alerts: plain,
  alertHistory: () => ['', '?limit=3', '?rule_id=of-all', '?rule_id=of-own', '?rule_id=of-other'],
  alertEvidence: (orders) =>
    ['of-all', 'of-own', 'of-other'].flatMap((rule) => [
      `?rule_id=${rule}`,
      ...orders.map(({ account_id: account }) => `?rule_id=${rule}&group=${account}`),
    ]),
  saved: plain,
  sharedViews: plain,
  me: plain,
  sessions: plain,
  tokens: plain,
  people: plain,
  credentials: () => ['?person=none'],
  audit: plain,
};

/** The queries of each endpoint of the exchange. */
const QUERIES: Readonly<Record<EndpointName, Queries>> = {
  chartPrice: plain,
  chartVoi: plain,
  fundingRates: plain,
  fundingEstimated: plain,
  orders: (orders, now) => [...filtered(orders, now), '?limit=3', '?limit=3&order=asc'],
  ordersWorking: filtered,
  trailingStatsAll: plain,
  trailingStats: plain,
  productSpecs: plain,
  productSpec: plain,
  productDataAll: plain,
  productData: plain,
};

const TOPIC_QUERIES: Readonly<Record<TopicName, Queries>> = {
  'working-orders': filtered,
  'trailing-stats': plain,
  'product-data': plain,
  'product': plain,
  'funding-estimates': plain,
  'funding': plain,
  'products': plain,
  'volume': plain,
  'rates': plain,
  'alerts': plain,
  'status': plain,
};

/** Returns the paths of everything that can be read, and of every topic that can be followed. */
export function listQuestions(
  orders: readonly NamedOrder[],
  now: string,
): { readonly reads: readonly string[]; readonly streams: readonly string[] } {
  const desk = Object.entries<{ readonly path: string }>({
    ...DESK_ENDPOINTS,
    ...RULE_ENDPOINTS,
    ...ACCESS_ENDPOINTS,
    ...SAVED_ENDPOINTS,
  }).flatMap(([name, { path }]) => toPaths(path, DESK_QUERIES[name as DeskName], orders, now));
  const venue = Object.entries(ENDPOINTS).flatMap(([name, endpoint]) =>
    toPaths(`/api${toPath(endpoint, examplesOf(endpoint.pathParameters))}`, QUERIES[name as EndpointName], orders, now),
  );
  const topics = Object.keys(TOPICS).flatMap((name) =>
    TOPIC_QUERIES[name as TopicName](orders, now).map(
      (query) => `${name}${query === '' ? parametersOf(name as TopicName) : query}`,
    ),
  );
  return {
    reads: [...desk, ...venue, '/healthz', '/readyz', '/metrics'],
    streams: topics.map((topic) => `${LIVE_PATH}?topic=${encodeURIComponent(topic)}`),
  };
}

function toPaths(path: string, queries: Queries, orders: readonly NamedOrder[], now: string): readonly string[] {
  return queries(orders, now).map((query) => `${path}${query}`);
}

type PathParameters = (typeof ENDPOINTS)[EndpointName]['pathParameters'];

function examplesOf(parameters: PathParameters): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries<{ readonly grammar: { readonly example: string } }>(parameters).map(([name, { grammar }]) => [
      name,
      grammar.example,
    ]),
  );
}

/** Returns the parameters of a topic: one about a single product must name it. */
function parametersOf(name: TopicName): string {
  const { endpoint } = TOPICS[name];
  if (endpoint.startsWith('desk/')) return '';
  const pairs = Object.entries(examplesOf(ENDPOINTS[endpoint as EndpointName].pathParameters));
  return pairs.length === 0 ? '' : `?${pairs.map(([parameter, value]) => `${parameter}=${value}`).join('&')}`;
}
