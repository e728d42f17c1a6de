import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import { createParser } from '#contract/parse.ts';
import { toMountPrefix, type VenueProfile } from '#contract/venues.ts';
import { VenueFailure, type Question, type Reader, type VenueState } from '../ports.ts';
import { toQuestion } from '../question.ts';
import { parseRows } from '../rows.ts';

/** One thing that was tried on the venue. */
export interface SelfTestRow {
  readonly subject: string;
  readonly outcome: 'good' | 'drift' | 'failed' | 'not offered' | 'not tried';
  /** What was found, and where something is wrong, what to change. */
  readonly remark: string;
}

export interface SelfTestParts {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: () => VenueState;
}

/** Tries mounts, clock, key and the shape of each endpoint, with a question each. Nothing is asked twice. */
export async function runSelfTest(parts: SelfTestParts, signal: AbortSignal): Promise<readonly SelfTestRow[]> {
  const rows: SelfTestRow[] = [];
  for (const name of ENDPOINT_NAMES) rows.push(await tryEndpoint(parts, name, signal));
  return [judgeClock(parts.venue().clockOffsetMs), ...rows];
}

/** Beyond this, whoever looks at the screen's times beside another clock would wonder. */
const NOTABLE_OFFSET_MS = 5_000;

function judgeClock(offsetMs: number | null): SelfTestRow {
  const subject = 'clock';
  if (offsetMs === null) return { subject, outcome: 'not tried', remark: 'The venue has not told its time.' };
  const seconds = (Math.abs(offsetMs) / 1_000).toFixed(1);
  const remark = `At the start the venue’s clock was ${seconds} s ${offsetMs < 0 ? 'behind' : 'ahead of'} this machine’s`;
  if (Math.abs(offsetMs) <= NOTABLE_OFFSET_MS) return { subject, outcome: 'good', remark: `${remark}.` };
  return { subject, outcome: 'drift', remark: `${remark}; signatures allow for it, but set this machine’s clock (for example by NTP).` };
}

async function tryEndpoint({ profile, reader }: SelfTestParts, name: EndpointName, signal: AbortSignal): Promise<SelfTestRow> {
  const endpoint = ENDPOINTS[name];
  const subject = toMountPrefix(profile, endpoint.mount) + endpoint.path;
  try {
    const question = await goodQuestion({ profile, reader }, name, signal);
    if (question === null) return { subject, outcome: 'not tried', remark: 'There is no product to ask it for.' };
    const { answer } = await reader.ask(question, { purpose: endpoint.purpose, signal });
    return { subject, ...judgeShape(name, answer.body.toString()) };
  } catch (error) {
    if (!(error instanceof VenueFailure)) throw error;
    return { subject, ...judgeFailure(error, endpoint.optional, subject) };
  }
}

function judgeShape(name: EndpointName, text: string): Omit<SelfTestRow, 'subject'> {
  const { value, setAside, deviations } = createParser(ENDPOINTS[name].response).tolerant(text);
  const told = deviations.slice(0, 3).map(({ kind, place, count }) => `${kind} at ${place} (${String(count)} times)`).join('; ');
  if (value === null || setAside.length > 0) return { outcome: 'failed', remark: `The answer is not as the interface says: ${told}.` };
  if (deviations.length > 0) return { outcome: 'drift', remark: `The answer has changed: ${told}.` };
  return { outcome: 'good', remark: 'The answer is exactly of its shape.' };
}

function judgeFailure({ problem }: VenueFailure, optional: boolean, path: string): Omit<SelfTestRow, 'subject'> {
  if (problem.type !== 'not-found') {
    // More orders rest than one answer may hold: the venue answered, by its rule.
    if (problem.type === 'too-many-working-orders') return { outcome: 'good', remark: 'More than 10,000 orders rest; they are read in parts.' };
    return { outcome: 'failed', remark: problem.detail };
  }
  if (optional) return { outcome: 'not offered', remark: 'The venue has no such endpoint; the desk does without.' };
  return { outcome: 'failed', remark: `Nothing is at ${path}: check DESK_VENUE_ENV and the mounts of the venue’s profile.` };
}

type Asking = Pick<SelfTestParts, 'profile' | 'reader'>;

/** A question that any venue can answer; null where no product was found to ask it for. */
async function goodQuestion(asking: Asking, name: EndpointName, signal: AbortSignal): Promise<Question | null> {
  const ask = (pathParameters: Readonly<Record<string, string>> | null): Question | null =>
    pathParameters && toQuestion(asking.profile, name, pathParameters, []);
  switch (name) {
    case 'chartPrice':
    case 'productSpec':
    case 'productData':
      return ask(named('id', await findProduct(asking, signal)));
    case 'trailingStats':
      return ask(named('product_id', await findProduct(asking, signal)));
    case 'fundingEstimated':
      return ask(named('base_symbol', await findPerpetual(asking, signal)));
    case 'orders':
      return toQuestion(asking.profile, name, {}, [['limit', '1']]);
    case 'chartVoi':
    case 'fundingRates':
    case 'ordersWorking':
    case 'trailingStatsAll':
    case 'productSpecs':
    case 'productDataAll':
      return ask({});
  }
}

function named(parameter: string, value: string | null): Readonly<Record<string, string>> | null {
  return value === null ? null : { [parameter]: value };
}

async function readRows({ profile, reader }: Asking, name: EndpointName, signal: AbortSignal) {
  const question = toQuestion(profile, name, {}, []);
  const { answer } = await reader.ask(question, { purpose: question.endpoint.purpose, signal });
  return parseRows(answer);
}

async function findProduct(asking: Asking, signal: AbortSignal): Promise<string | null> {
  const rows = await readRows(asking, 'trailingStatsAll', signal);
  const row = rows.find(({ volume }) => volume !== null) ?? rows[0];
  return row === undefined ? null : String(row['productId']);
}

/** Only perpetuals have funding; their base symbol stands with their volume. */
async function findPerpetual(asking: Asking, signal: AbortSignal): Promise<string | null> {
  const perpetuals = new Set((await readRows(asking, 'fundingRates', signal)).map((row) => row['product_id']));
  const row = (await readRows(asking, 'chartVoi', signal)).find(({ productId, baseSymbol }) => perpetuals.has(productId) && typeof baseSymbol === 'string' && baseSymbol !== '');
  return row === undefined ? null : String(row['baseSymbol']);
}
