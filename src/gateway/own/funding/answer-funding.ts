import { formatInstant, parseInstant } from '#contract/instant.ts';
import { LARGEST_LIMIT } from '#contract/parameters.ts';
import { VenueFailure, type Problem, type Purpose } from '../../ports.ts';
import { beginOf } from './boundary.ts';
import type { EstimateStore } from './estimate-store.ts';
import type { FundingBook } from './funding-book.ts';
import type { KnownFunding, Perpetual, PrintPlace, StoredPrint } from './funding-store.ts';

export interface FundingAnswerParts {
  readonly book: FundingBook;
  /** The perpetuals there are, as the directory has them. */
  readonly perpetuals: () => Promise<readonly Perpetual[]>;
  readonly purpose: Purpose;
}

type Query = Readonly<Partial<Record<'base_symbol' | 'begin_time' | 'cursor' | 'limit', string>>>;

/** `DeskFunding` of the contract, as text: the rows' own text is the venue's. */
export async function answerFunding({ book, perpetuals, purpose }: FundingAnswerParts, query: Query): Promise<string> {
  const { base_symbol: wanted } = query;
  const after = readPlace(query);
  const chosen = choose(await knownPerpetuals(book, perpetuals), wanted);
  const troubles = await Promise.all(chosen.map((perpetual) => book.bringUpToDate(perpetual, purpose)));
  const told = chosen.flatMap((perpetual, index) => describe(book, perpetual, troubles[index] ?? null, query, after));
  const [trouble = null] = troubles;
  if (told.length === 0 && trouble !== null) throw new VenueFailure(trouble);
  const next = wanted === undefined ? undefined : told[0]?.next;
  return `{"perpetuals":[${told.map(({ text }) => text).join(',')}],"pagination":${JSON.stringify({ cursor: next ?? null })}}`;
}

/** Where a page begins: only one perpetual comes in pages. */
function readPlace({ base_symbol, cursor, limit }: Query): PrintPlace | null {
  const alone = Object.entries({ cursor, limit }).find(([, value]) => value !== undefined);
  if (base_symbol === undefined && alone !== undefined) throw bad(alone[0], `${alone[0]} needs base_symbol: only one perpetual comes in pages.`);
  return cursor === undefined ? null : parseCursor(cursor);
}

function choose(all: readonly Perpetual[], wanted: string | undefined): readonly Perpetual[] {
  if (wanted === undefined) return all;
  const chosen = all.filter(({ baseSymbol }) => baseSymbol === wanted);
  if (chosen.length === 0) throw new VenueFailure({ type: 'not-found', detail: `${wanted} has no perpetual.` });
  return chosen;
}

/** Where the directory cannot be read, those of which something is known. */
async function knownPerpetuals({ store }: FundingBook, perpetuals: FundingAnswerParts['perpetuals']): Promise<readonly Perpetual[]> {
  try {
    return await perpetuals();
  } catch (error) {
    const known = store.list();
    if (known.length === 0 || !(error instanceof VenueFailure)) throw error;
    return known;
  }
}

interface Told {
  readonly text: string;
  readonly next: string | null;
}

function describe({ store }: FundingBook, { productId }: Perpetual, trouble: Problem | null, query: Query, after: PrintPlace | null): readonly Told[] {
  const known = store.find(productId);
  if (known === undefined) return [];
  const { begin_time } = query;
  const limit = Number(query.limit ?? LARGEST_LIMIT.funding);
  const from = begin_time === undefined ? '' : normalise(begin_time);
  const prints = store.read(productId, { from, after, limit: limit + 1 });
  const page = prints.slice(0, limit);
  return [{ text: toText(known, page, store.oldest(productId), trouble), next: prints.length > limit ? toCursor(page) : null }];
}

function toText(known: KnownFunding, page: readonly StoredPrint[], oldest: StoredPrint | undefined, trouble: Problem | null): string {
  const facts = JSON.stringify({
    base_symbol: known.baseSymbol,
    product_id: known.productId,
    known_from: oldest === undefined ? null : beginOf(oldest.text),
    reaches_launch: oldest !== undefined,
    read_at: new Date(known.lastReadAt).toISOString(),
    stale_because: trouble?.detail ?? null,
  });
  return `${facts.slice(0, -1)},"prints":[${page.map(({ text }) => text).join(',')}]}`;
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
