import { createHash } from 'node:crypto';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import { createBody, type Body } from '#server/core/body.ts';
import type { Reader, Served, VenueRequest, VenueResponse } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { splitWide, toWideRequest, type WideRequest, type WideRows } from './wide-requests.ts';

interface WideReadDeps {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly now: () => number;
  /** The exchange’s time, as far as its clock is known. */
  readonly venueNow: () => number;
}

/** Trading data this old still say whether a session has settled since: as often as charts are read. */
const TRADING_DATA_SECONDS = 60;
/** As often as topics read all products. */
const ALL_PRODUCTS_SECONDS = 20;
/** Above this, splitting a response would hold up everything else, and a single long text in it exceed the stack. */
const MOST_BYTES = 6 * 1_024 * 1_024;

/**
 * Serves requests about one product from responses that serve others too, so that the request budget lasts:
 *
 * - The session in progress, the last 24 hours and the latest settled rate come from one read of all products.
 * - Volume and open interest of up to a year come from one read of all products, prices from one read a product.
 * - Past sessions are read again only once trading data show another settlement or open interest, and every few hours,
 *   to find revisions. They are as old as the trading data that confirm them.
 *
 * So a product costs one request when it is first opened after its settlement, and none after that. Where a read for
 * all fails, the product is read by itself.
 */
export function createWideReader({ profile, reader, now, venueNow }: WideReadDeps): Reader {
  const tradingData = withReuse(toVenueRequest(profile, 'productDataAll', {}, []), TRADING_DATA_SECONDS);
  const tooLarge = new Set<string>();
  const split = createSplit();
  const stateOf = createStates(split);

  /** Reads past sessions, which stay as they are while the trading data of their products do. */
  const readSessions: Reader['read'] = async (request, options) => {
    if (!isOfPastSessions(request)) return reader.read(request, options);
    const trading = await reader.read(tradingData, options).catch(ignoreFailure);
    if (trading === null || trading.staleBecause !== null) return reader.read(request, options);
    const state = stateOf(trading.response, request);
    const served = await reader.read(state === undefined ? request : { ...request, state }, options);
    return state !== undefined && served.outcome === 'hit'
      ? confirm(served, request, trading.response.respondedAt, now())
      : served;
  };

  const readWide = async (
    { request, cut }: WideRequest,
    narrow: VenueRequest,
    options: Parameters<Reader['read']>[1],
  ): Promise<Served | null> => {
    if (tooLarge.has(request.path)) return null;
    const served = await readSessions(
      withReuse(request, Math.max(request.endpoint.reuseSeconds, ALL_PRODUCTS_SECONDS)),
      options,
    ).catch(ignoreOwnFailure);
    if (served === null) return null;
    if (served.response.body.byteLength > MOST_BYTES) {
      tooLarge.add(request.path);
      return null;
    }
    const text = cut(split(request.name, served.response.body));
    return text === null ? null : { ...served, response: toNarrow(served.response, narrow, text) };
  };

  return {
    ...reader,
    read: async (request, options) => {
      const wide = options.refresh === true ? null : toWideRequest(profile, request, venueNow());
      const served = wide && (await readWide(wide, request, options));
      if (served === null) return readSessions(request, options);
      return mayBeWideOnly(served.staleBecause) ? readNewer(served, readSessions(request, options)) : served;
    },
  };
}

/** Charts up to the present, and trading data of a day. */
function isOfPastSessions({ name, query }: VenueRequest): boolean {
  const has = (wanted: string): boolean => query.some(([parameter]) => parameter === wanted);
  return name === 'chartPrice' || name === 'chartVoi' ? !has('end_time') : has('day') && name.startsWith('productData');
}

function withReuse(request: VenueRequest, reuseSeconds: number): VenueRequest {
  return { ...request, endpoint: { ...request.endpoint, reuseSeconds } };
}

/** As old as what shows that nothing has changed since. */
function confirm(served: Served, { endpoint }: VenueRequest, confirmedAt: number, now: number): Served {
  return confirmedAt <= served.response.respondedAt
    ? served
    : { ...served, confirmedAt, freshSeconds: endpoint.reuseSeconds - (now - confirmedAt) / 1_000 };
}

/** An exchange may lack data, or not give them now: then others are read or served as if there were none. */
function ignoreFailure(error: unknown): null {
  if (error instanceof VenueFailure) return null;
  throw error;
}

/** Where the wide request fails, the narrow one may not. */
function ignoreOwnFailure(error: unknown): null {
  if (error instanceof VenueFailure && mayBeWideOnly(error.problem)) return null;
  throw error;
}

/** Whether a failure may be of the wide request only; the budget and the connection are those of all requests. */
function mayBeWideOnly(problem: VenueFailure['problem'] | null): boolean {
  return problem !== null && FAILURES_OF_ONE.includes(problem.type);
}

const FAILURES_OF_ONE: readonly VenueFailure['problem']['type'][] = [
  'not-found',
  'bad-parameter',
  'venue-fault',
  'venue-timeout',
  'venue-answer-unreadable',
];

/** Returns the narrow response unless it fails, or is no newer than the stale one that there is. */
async function readNewer(stale: Served, narrow: Promise<Served>): Promise<Served> {
  const served = await narrow.catch(ignoreFailure);
  return served !== null && served.response.respondedAt > stale.response.respondedAt ? served : stale;
}

/** Splits each response once, for all that is cut out of it. */
function createSplit(): (name: VenueRequest['name'], body: Body) => WideRows {
  const known = new WeakMap<Body, WideRows>();
  return (name, body) => {
    const rows = known.get(body) ?? splitWide(name, body.toString());
    known.set(body, rows);
    return rows;
  };
}

/**
 * Returns a text that changes with the last settlement and open interest of the products in a response; undefined for a
 * day that has not settled, and for products that the response lacks.
 */
function createStates(
  split: ReturnType<typeof createSplit>,
): (trading: VenueResponse, request: VenueRequest) => string | undefined {
  const ofAll = new WeakMap<Body, string | undefined>();
  return ({ body }, { pathParameters, query }) => {
    const { all, of } = split('productDataAll', body);
    const given = Object.fromEntries(query);
    if (given['day'] !== undefined && !hasSettled(all, given['day'])) return undefined;
    const id = pathParameters['id'];
    const ids = id === undefined ? query.flatMap(([name, value]) => (name === 'product_id' ? [value] : [])) : [id];
    if (ids.length > 0) return toState(ids.flatMap(of));
    const state = ofAll.get(body) ?? toState(all);
    ofAll.set(body, state);
    return state;
  };
}

/** Whether the session of a day is among those that have settled, so that its trading data are no longer running. */
function hasSettled(rows: WideRows['all'], day: string): boolean {
  return rows.some(({ fields: { settlement_time: at } }) => typeof at === 'string' && at.slice(0, day.length) >= day);
}

/** Undefined for no rows, which show nothing. */
function toState(rows: WideRows['all']): string | undefined {
  if (rows.length === 0) return undefined;
  const facts = rows.map(({ fields }) => [
    fields['product_id'],
    fields['settlement_time'],
    fields['settlement_price'],
    fields['open_interest'],
  ]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

/** Equal tags still mean equal bytes: a response of the exchange is always cut in the same way. */
function toNarrow({ tag, ...response }: VenueResponse, { target }: VenueRequest, text: string): VenueResponse {
  return {
    ...response,
    body: createBody([Buffer.from(text)]),
    tag: `"${tag.slice(1, -1)}-${encodeURIComponent(target)}"`,
  };
}
