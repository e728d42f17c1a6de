import { formatInstant, parseInstant } from '#contract/exchange/instant.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { ReadPlan } from '#sql/driver.ts';
import type { ReadCause } from '#server/core/ports.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import { beginOf, datedOf } from './update-settled-rates.ts';
import type { EstimateStore } from './estimate-store.ts';
import type { FundingRecords } from './funding-records.ts';
import type { FundingReads, FundingStore, Perpetual, PrintPlace, Revision, StoredPrint } from './funding-store.ts';

/** A perpetual of the product directory. */
export interface ListedPerpetual extends Perpetual {
  /** False if it is forthcoming or expired. */
  readonly trades: boolean;
}

export interface DescribeFundingDeps {
  readonly book: FundingRecords;
  /** Rejects if the directory cannot be read. */
  readonly perpetuals: () => Promise<readonly ListedPerpetual[]>;
  readonly cause: ReadCause;
}

type Query = Readonly<Partial<Record<'base_symbol' | 'begin_time' | 'cursor' | 'limit', string>>>;

/** Returns the contract’s `DeskFunding` as text, because its rows keep the exchange’s own text. */
export async function describeFunding({ book, perpetuals, cause }: DescribeFundingDeps, query: Query): Promise<string> {
  const { base_symbol: wanted } = query;
  const after = parsePlace(query);
  const listed = await listPerpetuals(book, perpetuals);
  const chosen =
    wanted === undefined ? listed.filter(({ trades }) => trades) : [await findPerpetual(listed, book.store, wanted)];
  // A perpetual that is no longer listed has no new settled rates.
  const problems = await Promise.all(
    chosen.map((perpetual) =>
      listed.some((each) => each === perpetual) ? book.bringUpToDate(perpetual, cause) : Promise.resolve(null),
    ),
  );
  const problem = problems.find((each) => each !== null);
  const described = await Promise.all(
    chosen.map((perpetual, index) => describe(book, perpetual, problems[index] ?? null, query, after)),
  );
  if (problem !== undefined && described.every(({ isKnown }) => !isKnown)) throw new VenueFailure(problem);
  const next = wanted === undefined ? undefined : described[0]?.next;
  const texts = described.map(({ text }) => text).join(',');
  return `{"perpetuals":[${texts}],"pagination":${JSON.stringify({ cursor: next ?? null })}}`;
}

/** Returns where a page begins: only requests for one perpetual are paged. */
function parsePlace({ base_symbol, cursor, limit }: Query): PrintPlace | null {
  const paging = Object.entries({ cursor, limit }).find(([, value]) => value !== undefined);
  if (base_symbol === undefined && paging !== undefined)
    throw bad(paging[0], `${paging[0]} requires base_symbol: only requests for one perpetual are paged.`);
  return cursor === undefined ? null : parseCursor(cursor);
}

/**
 * Finds a perpetual by its base symbol, preferring one that trades. A delisted one is found as long as its funding is
 * stored.
 */
async function findPerpetual(
  listed: readonly ListedPerpetual[],
  store: FundingStore,
  wanted: string,
): Promise<Perpetual> {
  const named = listed.filter(({ baseSymbol }) => baseSymbol === wanted);
  const found =
    named.find(({ trades }) => trades) ??
    named.at(-1) ??
    (await store.list()).findLast(({ baseSymbol }) => baseSymbol === wanted);
  if (found === undefined)
    throw new VenueFailure({ type: 'not-found', detail: `No perpetual has the base symbol ${wanted}.` });
  return found;
}

/** Lists the perpetuals of the directory; if it cannot be read, those whose funding is stored. */
async function listPerpetuals(
  { store }: FundingRecords,
  perpetuals: DescribeFundingDeps['perpetuals'],
): Promise<readonly ListedPerpetual[]> {
  try {
    return await perpetuals();
  } catch (error) {
    const known = await store.list();
    if (known.length === 0 || !(error instanceof VenueFailure)) throw error;
    return known.map((each) => ({ ...each, trades: true }));
  }
}

interface Described {
  readonly text: string;
  readonly next: string | null;
  /** Whether any of its funding is stored. */
  readonly isKnown: boolean;
}

async function describe(
  { store, rankInYear }: FundingRecords,
  perpetual: Perpetual,
  problem: Problem | null,
  query: Query,
  after: PrintPlace | null,
): Promise<Described> {
  const limit = Number(query.limit ?? LARGEST_LIMIT.funding);
  const from = normalise(query.begin_time);
  const { prints, revisions, facts, isKnown } = await store.view(function* (reads) {
    const stored = yield* readFacts(reads, rankInYear, perpetual, problem);
    const { productId } = perpetual;
    const revisions = yield* reads.revisions(productId, from);
    return { ...stored, revisions, prints: yield* reads.prints(productId, { from, after, limit: limit + 1 }) };
  });
  const page = prints.slice(0, limit);
  return {
    text:
      `${facts.slice(0, -1)},"revised":[${revisions.map(describeRevision).join(',')}],` +
      `"prints":[${page.map(({ text }) => text).join(',')}]}`,
    next: prints.length > limit ? toCursor(page) : null,
    isKnown,
  };
}

function describeRevision({ endAt, text, isWithdrawn, foundAt }: Revision): string {
  const facts = JSON.stringify({
    interval_end: endAt,
    is_withdrawn: isWithdrawn,
    noticed_at: new Date(foundAt).toISOString(),
  });
  return `${facts.slice(0, -1)},"before":${text}}`;
}

function* readFacts(
  reads: FundingReads,
  rankInYear: FundingRecords['rankInYear'],
  { productId, baseSymbol }: Perpetual,
  problem: Problem | null,
): ReadPlan<{ readonly facts: string; readonly isKnown: boolean }> {
  const known = yield* reads.known(productId);
  const oldest = yield* reads.oldest(productId);
  const [newest] = yield* reads.prints(productId, { from: '', after: null, limit: 1 });
  const facts = JSON.stringify({
    base_symbol: baseSymbol,
    product_id: productId,
    known_from: oldest === undefined ? null : beginOf(oldest.text),
    known_to: datedOf(newest)?.endAt ?? null,
    reaches_launch: yield* reachesLaunch(reads, productId, oldest, problem),
    left_out: known?.leftOut ?? 0,
    read_at: known === undefined ? null : new Date(known.lastReadAt).toISOString(),
    year_rank: yield* rankInYear(reads.prints, productId, `${String(known?.reads)} ${newest?.text ?? ''}`),
    stale_because: problem?.detail ?? null,
  });
  return { facts, isKnown: known !== undefined };
}

function* reachesLaunch(
  { check }: FundingReads,
  productId: number,
  oldest: StoredPrint | undefined,
  problem: Problem | null,
): ReadPlan<boolean> {
  return oldest === undefined ? problem === null : (yield* check(productId))?.beginsHere === true;
}

/** Returns the start of a range with nine fractional digits; empty without one. */
function normalise(instant = ''): string {
  const nanos = parseInstant(instant);
  return nanos === null ? '' : formatInstant(nanos);
}

function toCursor(page: readonly StoredPrint[]): string | null {
  const last = page.at(-1);
  return last === undefined ? null : Buffer.from(`${last.endAt} ${String(last.place)}`).toString('base64url');
}

function parseCursor(cursor: string): PrintPlace {
  const [endAt = '', place = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (parseInstant(endAt) === null || !/^\d{1,9}$/.test(place))
    throw bad('cursor', 'cursor must come from an earlier page.');
  return { endAt, place: Number(place) };
}

function bad(parameter: string, detail: string): VenueFailure {
  return new VenueFailure({ type: 'bad-parameter', detail, parameter });
}

/** Returns the contract’s `DeskEstimates` as text, because rates keep the digits of the exchange. */
export async function describeEstimates(
  store: EstimateStore,
  query: Readonly<Partial<Record<'base_symbol' | 'begin_time' | 'near_points', string>>>,
): Promise<string> {
  const filter = {
    baseSymbol: query.base_symbol ?? null,
    from: normalise(query.begin_time),
    nearPoints: query.near_points === 'true',
  };
  const rows = (await store.list(filter)).map(({ estimate, settled, ...stored }) => {
    const facts = JSON.stringify({
      base_symbol: stored.baseSymbol,
      interval_end: stored.endAt,
      share: stored.share,
      read_at: new Date(stored.readAt).toISOString(),
    });
    return `${facts.slice(0, -1)},"estimate":${estimate},"settled":${settled ?? 'null'}}`;
  });
  return `{"estimates":[${rows.join(',')}]}`;
}
