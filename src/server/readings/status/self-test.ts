import { type Endpoint, ENDPOINT_NAMES, type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { WORKING_ORDERS_LIMIT_TEXT } from '#contract/exchange/order.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { RowCheck } from '#contract/parse/row-check.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/addresses.ts';
import { DESK_ITSELF, type Reader, type VenueRequest, type VenueState } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import { parseRows, toRowCheck } from '#server/core/rows.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';

/** The result of one check. */
export interface SelfTestRow {
  readonly subject: string;
  readonly outcome: 'good' | 'drift' | 'failed' | 'not offered' | 'not tried';
  /** What was found and, if something is wrong, what to change. */
  readonly remark: string;
}

export interface SelfTestDeps {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: () => VenueState;
  readonly now: () => number;
}

/** Checks mounts, clock, key and the schema of each endpoint with one request each. */
export async function runSelfTest(deps: SelfTestDeps, signal: AbortSignal): Promise<readonly SelfTestRow[]> {
  const rows: SelfTestRow[] = [];
  for (const name of ENDPOINT_NAMES) rows.push(await checkEndpoint(deps, name, signal));
  return [checkClock(deps.venue()), ...rows];
}

/** Large enough to notice when times on screen are compared with another clock. */
const NOTABLE_OFFSET_MS = 5_000;

function checkClock({ clockOffsetMs: offsetMs, ignoredDate }: VenueState): SelfTestRow {
  const subject = 'clock';
  if (ignoredDate !== null) {
    const remark =
      `The exchange sends the date “${toPrintable(ignoredDate)}”, which is not a valid HTTP ` +
      'date between 2000 and 2099, so Perpdesk ignores it. Check this machine’s clock.';
    return { subject, outcome: 'drift', remark };
  }
  if (offsetMs === null)
    return { subject, outcome: 'not tried', remark: 'No response from the exchange contained a date.' };
  const seconds = (Math.abs(offsetMs) / 1_000).toFixed(1);
  const remark =
    `At startup the exchange’s clock was ${seconds} s ` + `${offsetMs < 0 ? 'behind' : 'ahead of'} this machine’s`;
  if (Math.abs(offsetMs) <= NOTABLE_OFFSET_MS) return { subject, outcome: 'good', remark: `${remark}.` };
  return {
    subject,
    outcome: 'drift',
    remark:
      `${remark}. Perpdesk corrects for it when it signs requests, but synchronise this machine’s ` +
      'clock, for example with NTP.',
  };
}

async function checkEndpoint(
  { profile, reader, venue, now }: SelfTestDeps,
  name: EndpointName,
  signal: AbortSignal,
): Promise<SelfTestRow> {
  const endpoint = ENDPOINTS[name];
  const subject = toMountPrefix(profile, endpoint.mount) + endpoint.path;
  try {
    const request = await toTestRequest({ profile, reader }, name, signal);
    if (request === null)
      return { subject, outcome: 'not tried', remark: 'No product found to test this endpoint with.' };
    const { response } = await reader.read(request, { purpose: endpoint.purpose, payers: DESK_ITSELF, signal });
    const { clockOffsetMs } = venue();
    const check = toRowCheck(request, clockOffsetMs === null ? null : now() + clockOffsetMs);
    return { subject, ...checkRows(endpoint, response.body.toString(), check) };
  } catch (error) {
    if (!(error instanceof VenueFailure)) throw error;
    return { subject, ...judgeFailure(error, endpoint.optional, subject) };
  }
}

function checkRows(
  { response }: Pick<Endpoint, 'response'>,
  text: string,
  check: RowCheck,
): Omit<SelfTestRow, 'subject'> {
  const { value, setAside, deviations } = createParser(response).tolerant(text, check);
  const found = deviations
    .slice(0, 3)
    .map(({ kind, place, count }) => `${kind} at ${place}${count > 1 ? ` (${String(count)} times)` : ''}`)
    .join('; ');
  if (value === null || setAside.length > 0)
    return { outcome: 'failed', remark: `The response does not match the API: ${found}.` };
  if (deviations.length > 0) return { outcome: 'drift', remark: `The response has changed: ${found}.` };
  return { outcome: 'good', remark: 'The response matches the API.' };
}

function judgeFailure({ problem }: VenueFailure, optional: boolean, path: string): Omit<SelfTestRow, 'subject'> {
  if (problem.type !== 'not-found') {
    // The exchange works: it has more working orders than one response may hold.
    if (problem.type === 'too-many-working-orders')
      return {
        outcome: 'good',
        remark: `More than ${WORKING_ORDERS_LIMIT_TEXT} working orders: Perpdesk reads them in parts.`,
      };
    return { outcome: 'failed', remark: problem.detail };
  }
  if (optional)
    return { outcome: 'not offered', remark: 'The exchange has no such endpoint. Perpdesk works without it.' };
  return {
    outcome: 'failed',
    remark: `Nothing found at ${path}: check DESK_VENUE_ENV and the mounts of the exchange’s profile.`,
  };
}

type Connection = Pick<SelfTestDeps, 'profile' | 'reader'>;

/** Returns a request that every exchange accepts; null if no product was found for it. */
async function toTestRequest(
  connection: Connection,
  name: EndpointName,
  signal: AbortSignal,
): Promise<VenueRequest | null> {
  const toRequest = (pathParameters: Readonly<Record<string, string>> | null): VenueRequest | null =>
    pathParameters && toVenueRequest(connection.profile, name, pathParameters, []);
  switch (name) {
    case 'chartPrice':
    case 'productSpec':
    case 'productData':
      return toRequest(named('id', await findProduct(connection, signal)));
    case 'trailingStats':
      return toRequest(named('product_id', await findProduct(connection, signal)));
    case 'fundingEstimated':
      return toRequest(named('base_symbol', await findPerpetual(connection, signal)));
    case 'orders':
      return toVenueRequest(connection.profile, name, {}, [['limit', '1']]);
    case 'chartVoi':
    case 'fundingRates':
    case 'ordersWorking':
    case 'trailingStatsAll':
    case 'productSpecs':
    case 'productDataAll':
      return toRequest({});
  }
}

function named(parameter: string, value: string | null): Readonly<Record<string, string>> | null {
  return value === null ? null : { [parameter]: value };
}

async function readRows({ profile, reader }: Connection, name: EndpointName, signal: AbortSignal) {
  const request = toVenueRequest(profile, name, {}, []);
  const { response } = await reader.read(request, { purpose: request.endpoint.purpose, payers: DESK_ITSELF, signal });
  return parseRows(response);
}

async function findProduct(connection: Connection, signal: AbortSignal): Promise<string | null> {
  const rows = await readRows(connection, 'trailingStatsAll', signal);
  const row = rows.find(({ volume }) => volume !== null) ?? rows[0];
  return row === undefined ? null : String(row['productId']);
}

/** Only perpetuals have funding, and their volume rows contain the base symbol. */
async function findPerpetual(connection: Connection, signal: AbortSignal): Promise<string | null> {
  const perpetuals = new Set((await readRows(connection, 'fundingRates', signal)).map((row) => row['product_id']));
  const row = (await readRows(connection, 'chartVoi', signal)).find(
    ({ productId, baseSymbol }) => perpetuals.has(productId) && typeof baseSymbol === 'string' && baseSymbol !== '',
  );
  return row === undefined ? null : String(row['baseSymbol']);
}
