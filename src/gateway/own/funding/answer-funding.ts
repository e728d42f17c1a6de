import { formatInstant, parseInstant } from '#contract/instant.ts';
import { LARGEST_LIMIT } from '#contract/parameters.ts';
import { VenueFailure, type Problem, type Purpose } from '../../ports.ts';
import { beginOf } from './boundary.ts';
import type { EstimateStore } from './estimate-store.ts';
import type { FundingBook } from './funding-book.ts';
import type { FundingStore, Perpetual, PrintPlace, StoredPrint } from './funding-store.ts';
import { datedOf, newestOf } from './read-on.ts';

/** As the directory names it. */
export interface ListedPerpetual extends Perpetual {
  /** Not yet, or no longer, otherwise. */
  readonly trades: boolean;
}

export interface FundingAnswerParts {
  readonly book: FundingBook;
  /** Fails where the directory cannot be read. */
  readonly perpetuals: () => Promise<readonly ListedPerpetual[]>;
  readonly purpose: Purpose;
}

type Query = Readonly<Partial<Record<'base_symbol' | 'begin_time' | 'cursor' | 'limit', string>>>;

/** `DeskFunding` of the contract, as text: the rows' own text is the venue's. */
export async function answerFunding({ book, perpetuals, purpose }: FundingAnswerParts, query: Query): Promise<string> {
  const { base_symbol: wanted } = query;
  const after = readPlace(query);
  const listed = await listPerpetuals(book, perpetuals);
  const chosen = wanted === undefined ? listed.filter(({ trades }) => trades) : [findPerpetual(listed, book.store, wanted)];
  // Of one that the directory no longer names nothing more will come.
  const troubles = await Promise.all(chosen.map((perpetual) => (listed.some((each) => each === perpetual) ? book.bringUpToDate(perpetual, purpose) : Promise.resolve(null))));
  const trouble = troubles.find((each) => each !== null);
  if (trouble !== undefined && chosen.every(({ productId }) => book.store.find(productId) === undefined)) throw new VenueFailure(trouble);
  const told = chosen.map((perpetual, index) => describe(book.store, perpetual, troubles[index] ?? null, query, after));
  const next = wanted === undefined ? undefined : told[0]?.next;
  return `{"perpetuals":[${told.map(({ text }) => text).join(',')}],"pagination":${JSON.stringify({ cursor: next ?? null })}}`;
}

/** Where a page begins: only one perpetual comes in pages. */
function readPlace({ base_symbol, cursor, limit }: Query): PrintPlace | null {
  const alone = Object.entries({ cursor, limit }).find(([, value]) => value !== undefined);
  if (base_symbol === undefined && alone !== undefined) throw bad(alone[0], `${alone[0]} needs base_symbol: only one perpetual comes in pages.`);
  return cursor === undefined ? null : parseCursor(cursor);
}

/** One that trades before one that does not; one that is gone is told as long as something is known of it. */
function findPerpetual(listed: readonly ListedPerpetual[], store: FundingStore, wanted: string): Perpetual {
  const named = listed.filter(({ baseSymbol }) => baseSymbol === wanted);
  const found = named.find(({ trades }) => trades) ?? named.at(-1) ?? store.list().findLast(({ baseSymbol }) => baseSymbol === wanted);
  if (found === undefined) throw new VenueFailure({ type: 'not-found', detail: `${wanted} has no perpetual.` });
  return found;
}

/** Where the directory cannot be read, those of which something is known. */
async function listPerpetuals({ store }: FundingBook, perpetuals: FundingAnswerParts['perpetuals']): Promise<readonly ListedPerpetual[]> {
  try {
    return await perpetuals();
  } catch (error) {
    const known = store.list();
    if (known.length === 0 || !(error instanceof VenueFailure)) throw error;
    return known.map((each) => ({ ...each, trades: true }));
  }
}

interface Told {
  readonly text: string;
  readonly next: string | null;
}

function describe(store: FundingStore, perpetual: Perpetual, trouble: Problem | null, query: Query, after: PrintPlace | null): Told {
  const { productId } = perpetual;
  const { begin_time } = query;
  const limit = Number(query.limit ?? LARGEST_LIMIT.funding);
  const from = begin_time === undefined ? '' : normalise(begin_time);
  const prints = store.read(productId, { from, after, limit: limit + 1 });
  const page = prints.slice(0, limit);
  const facts = toFacts(store, perpetual, trouble);
  return { text: `${facts.slice(0, -1)},"prints":[${page.map(({ text }) => text).join(',')}]}`, next: prints.length > limit ? toCursor(page) : null };
}

function toFacts(store: FundingStore, { productId, baseSymbol }: Perpetual, trouble: Problem | null): string {
  const known = store.find(productId);
  const oldest = store.oldest(productId);
  return JSON.stringify({
    base_symbol: baseSymbol,
    product_id: productId,
    known_from: oldest === undefined ? null : beginOf(oldest.text),
    known_to: datedOf(newestOf(store, productId))?.endAt ?? null,
    reaches_launch: oldest !== undefined || trouble === null,
    read_at: known === undefined ? null : new Date(known.lastReadAt).toISOString(),
    stale_because: trouble?.detail ?? null,
  });
}

function normalise(instant: string): string {
  const nanos = parseInstant(instant);
  return nanos === null ? '' : formatInstant(nanos);
}

function toCursor(page: readonly StoredPrint[]): string | null {
  const last = page.at(-1);
  return last === undefined ? null : Buffer.from(`${last.endAt} ${String(last.place)}`).toString('base64url');
}

function parseCursor(cursor: string): PrintPlace {
  const [endAt = '', place = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (parseInstant(endAt) === null || !/^\d{1,9}$/.test(place)) throw bad('cursor', 'cursor must be the cursor of an earlier page.');
  return { endAt, place: Number(place) };
}

function bad(parameter: string, detail: string): VenueFailure {
  return new VenueFailure({ type: 'bad-parameter', detail, parameter });
}

/** `DeskEstimates` of the contract, as text: rates are written as the venue wrote them. */
export function answerEstimates(store: EstimateStore, baseSymbol: string | null): string {
  const rows = store.list(baseSymbol).map(({ estimate, settled, ...kept }) => {
    const facts = JSON.stringify({
      base_symbol: kept.baseSymbol,
      interval_end: kept.endAt,
      share: kept.share,
      read_at: new Date(kept.readAt).toISOString(),
    });
    return `${facts.slice(0, -1)},"estimate":${estimate},"settled":${settled ?? 'null'}}`;
  });
  return `{"estimates":[${rows.join(',')}]}`;
}
