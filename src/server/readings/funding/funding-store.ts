import { createHash } from 'node:crypto';
import {
  type Change,
  limitTo,
  type Put,
  type Read,
  type ReadPlan,
  type Row,
  type Step,
  type WritePlan,
} from '#sql/driver.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Store } from '#server/store/store.ts';
import { fundingChecks, fundingLeftOut, fundingPrints } from '#server/store/tables.ts';
import { isPrint, saysTheSame } from './print-facts.ts';

/** A settled rate: its row as the exchange wrote it, and when its interval ended. */
export interface PrintRow {
  /** The end of its interval with nine fractional digits, so that text order is time order. */
  readonly endAt: string;
  readonly text: string;
}

export interface Perpetual {
  readonly productId: number;
  readonly baseSymbol: string;
}

/** What the store has of a perpetual. */
export interface KnownFunding extends Perpetual {
  readonly prints: number;
  /** The number of distinct rows that did not match the request they came with. */
  readonly leftOut: number;
  readonly reads: number;
  readonly lastReadAt: number;
  /** Another rate of the newest interval that the exchange has published. */
  readonly revised: PrintRow | null;
}

/** A settled rate as it was before the exchange changed it or stopped publishing it. */
export interface Revision extends PrintRow {
  readonly isWithdrawn: boolean;
  readonly foundAt: number;
}

/** The last comparison of all settled rates of a perpetual. */
interface FundingCheck {
  readonly checkedAt: number;
  /** Whether the exchange confirms that it publishes no earlier rate; null if unknown. */
  readonly beginsHere: boolean | null;
}

/** The position of a settled rate: several may have ended at one instant. */
export interface PrintPlace {
  readonly endAt: string;
  readonly place: number;
}

export type StoredPrint = PrintRow & PrintPlace;

interface PrintRange {
  /** Only rates that ended then or later. */
  readonly from: string;
  /** Only rates after this position, newest first. */
  readonly after: PrintPlace | null;
  readonly limit: number;
}

/** Reads of one exchange’s funding, which can be combined into one plan if their results must agree. */
export interface FundingReads {
  readonly known: (productId: number) => ReadPlan<KnownFunding | undefined>;
  readonly all: () => ReadPlan<readonly KnownFunding[]>;
  /** Newest first. */
  readonly prints: (productId: number, range: PrintRange) => ReadPlan<readonly StoredPrint[]>;
  readonly oldest: (productId: number) => ReadPlan<StoredPrint | undefined>;
  /** Revisions of rates that ended at `from` or later, newest first, without those that hold again. */
  readonly revisions: (productId: number, from: string) => ReadPlan<readonly Revision[]>;
  readonly check: (productId: number) => ReadPlan<FundingCheck | undefined>;
}

/** A revision whose rate the exchange publishes again counts only if it is listed as withdrawn. */
const REVISIONS = `SELECT r.end_at, r.row, r.is_withdrawn, r.found_at FROM funding_revision r
  WHERE r.venue = $1 AND r.product_id = $2 AND r.end_at >= $3 AND (r.is_withdrawn = 1 OR NOT EXISTS (
    SELECT 1 FROM funding_print f WHERE f.venue = r.venue AND f.product_id = r.product_id AND f.end_at = r.end_at
      AND f.row = r.row))
  ORDER BY r.end_at DESC, r.found_at, r.digest`;

const KNOWN = `SELECT product_id, base_symbol, reads, last_read_at,
  (SELECT count(*) FROM funding_print f WHERE f.venue = p.venue AND f.product_id = p.product_id),
  (SELECT count(*) FROM funding_left_out l WHERE l.venue = p.venue AND l.product_id = p.product_id)
  FROM funding_perpetual p WHERE p.venue = $1`;

const PRINTS = 'SELECT end_at, place, row FROM funding_print WHERE venue = $1 AND product_id = $2';

function createFundingReads(venueId: string): FundingReads {
  const reads: FundingReads = {
    *known(productId) {
      const [row] = yield {
        name: 'known perpetual',
        sql: `${KNOWN} AND p.product_id = $2`,
        values: [venueId, productId],
      };
      return row && toKnown(row, null);
    },
    *all() {
      const rows = yield { name: 'known perpetuals', sql: KNOWN, values: [venueId] };
      const all: KnownFunding[] = [];
      for (const row of rows) {
        const [newest] = yield* reads.prints(Number(row[0]), { from: '', after: null, limit: 1 });
        const revisions = newest === undefined ? [] : yield* reads.revisions(Number(row[0]), newest.endAt);
        all.push(toKnown(row, revisions.find(({ isWithdrawn }) => !isWithdrawn) ?? null));
      }
      // Sorted here, because the database’s order depends on its language.
      return all.sort(bySymbol);
    },
    *prints(productId, range) {
      const rows = yield printsRead([venueId, productId, range.from], range.after, range.limit);
      return rows.map(toPrint);
    },
    *oldest(productId) {
      const [row] = yield {
        name: 'oldest print',
        sql: `${PRINTS} ORDER BY end_at, place LIMIT 1`,
        values: [venueId, productId],
      };
      return row && toPrint(row);
    },
    *revisions(productId, from) {
      const rows = yield { name: 'revisions', sql: REVISIONS, values: [venueId, productId, from] };
      return rows.map(toRevision);
    },
    *check(productId) {
      const [row] = yield {
        name: 'funding check',
        sql: 'SELECT checked_at, begins_here FROM funding_check WHERE venue = $1 AND product_id = $2',
        values: [venueId, productId],
      };
      return row && { checkedAt: Number(row[0]), beginsHere: row[1] === null ? null : Number(row[1]) === 1 };
    },
  };
  return reads;
}

function printsRead(range: readonly [string, number, string], after: PrintPlace | null, limit: number): Read {
  const from = `${PRINTS} AND end_at >= $3`;
  const newestFirst = 'ORDER BY end_at DESC, place DESC';
  if (after === null)
    return { name: 'newest prints', sql: `${from} ${newestFirst} ${limitTo(4)}`, values: [...range, limit] };
  const sql = `${from} AND (end_at < $4 OR (end_at = $4 AND place < $5)) ${newestFirst} ${limitTo(6)}`;
  return { name: 'prints after', sql, values: [...range, after.endAt, after.place, limit] };
}

function bySymbol(one: KnownFunding, other: KnownFunding): number {
  if (one.baseSymbol === other.baseSymbol) return one.productId - other.productId;
  return one.baseSymbol < other.baseSymbol ? -1 : 1;
}

function toKnown(
  [productId, baseSymbol, reads, lastReadAt, prints, leftOut]: Row,
  revised: PrintRow | null,
): KnownFunding {
  return {
    revised,
    productId: Number(productId),
    baseSymbol: String(baseSymbol),
    prints: Number(prints),
    leftOut: Number(leftOut),
    reads: Number(reads),
    lastReadAt: Number(lastReadAt),
  };
}

function toPrint([endAt, place, row]: Row): StoredPrint {
  return { endAt: String(endAt), place: Number(place), text: String(row) };
}

function toRevision([endAt, row, isWithdrawn, foundAt]: Row): Revision {
  return { endAt: String(endAt), text: String(row), isWithdrawn: Number(isWithdrawn) === 1, foundAt: Number(foundAt) };
}

interface Newest {
  readonly newest: StoredPrint | undefined;
}

/**
 * Stores rates, and returns the newest one; null, and stores nothing, if the newest one was no longer that which was
 * found, because another desk has stored some.
 */
type PutPrints = (productId: number, rows: readonly PrintRow[], found?: Newest) => Promise<Newest | null>;

/** The stored settled rates, each row as received. Responses are built from it, so a failed read or write throws. */
export interface FundingStore {
  /** All reads of a plan see the same moment. */
  readonly view: <Result>(plan: (reads: FundingReads) => ReadPlan<Result>) => Promise<Result>;
  readonly list: () => Promise<readonly KnownFunding[]>;
  /** Newest first. */
  readonly read: (productId: number, range: PrintRange) => Promise<readonly StoredPrint[]>;
  /** Counts a successful read, whether or not it brought anything new. */
  readonly recordRead: (perpetual: Perpetual, at: number) => Promise<void>;
  /**
   * Stores rows that are no settled rates of the perpetual, replacing those that ended at `from` or later; null
   * replaces none.
   */
  readonly recordLeftOut: (productId: number, from: string | null, rows: readonly PrintRow[]) => Promise<void>;
  /** Adds newer rates. Several may share one instant. */
  readonly append: PutPrints;
  /** Replaces the newest rates, from the earliest of `rows` on. */
  readonly replace: PutPrints;
  /** Replaces all rates. */
  readonly replaceAll: PutPrints;
  /**
   * Takes a range of rates that was read again. Those that are new are added, those that say something else replace the
   * known ones, which are kept as revisions, and known ones that are missing stay, but are marked as withdrawn.
   */
  readonly revise: (productId: number, rows: readonly PrintRow[], at: number) => Promise<void>;
  /** Revises only intervals that are known, by perpetual. */
  readonly reviseKnown: (rows: ReadonlyMap<number, readonly PrintRow[]>, at: number) => Promise<void>;
  readonly recordCheck: (productId: number, check: FundingCheck) => Promise<void>;
}

export function createFundingStore({ dialect, read, mustWrite, tryToWrite }: Store, venueId: string): FundingStore {
  const reads = createFundingReads(venueId);
  const view: FundingStore['view'] = (plan) => read((store) => store.readTogether(plan(reads)));

  const remove = (table: 'funding_print' | 'funding_left_out', productId: number, from: string): Change => ({
    name: `remove ${table}`,
    sql: `DELETE FROM ${table} WHERE venue = $1 AND product_id = $2 AND end_at >= $3`,
    values: [venueId, productId, from],
  });
  const countAt = (productId: number, rows: readonly PrintRow[]): Read => ({
    name: 'prints at instants',
    sql:
      'SELECT end_at, count(*) FROM funding_print WHERE venue = $1 AND product_id = $2 AND ' +
      `${dialect.isAmong('end_at', 3, 'text')} GROUP BY end_at`,
    values: [venueId, productId, [...new Set(rows.map(({ endAt }) => endAt))]],
  });
  /** `taken` is the number of stored rates by the end of their interval. */
  const add = (productId: number, rows: readonly PrintRow[], taken: Map<string, number>): Put => ({
    table: fundingPrints,
    rows: rows.map(({ endAt, text }) => {
      const place = taken.get(endAt) ?? 0;
      taken.set(endAt, place + 1);
      return [venueId, productId, endAt, place, text];
    }),
  });
  /** Other desks that store rates of this perpetual wait until the transaction ends. */
  const lock = (productId: number): Read => ({
    name: 'lock perpetual',
    sql: `SELECT reads FROM funding_perpetual WHERE venue = $1 AND product_id = $2 ${dialect.forUpdate}`,
    values: [venueId, productId],
  });
  const readNewest = function* (productId: number): ReadPlan<Newest> {
    const [newest] = yield* reads.prints(productId, { from: '', after: null, limit: 1 });
    return { newest };
  };
  const putIf = (productId: number, found: Newest | undefined, plan: () => WritePlan<void>): Promise<Newest | null> =>
    mustWrite(({ transact }) =>
      transact(function* () {
        yield lock(productId);
        if (found !== undefined && !isDeepStrictEqual(yield* readNewest(productId), found)) return null;
        yield* plan();
        return yield* readNewest(productId);
      }),
    );
  const replaceFrom = (
    productId: number,
    from: string,
    rows: readonly PrintRow[],
    found: Newest | undefined,
  ): Promise<Newest | null> =>
    putIf(productId, found, function* () {
      yield remove('funding_print', productId, from);
      yield add(productId, rows, new Map());
    });

  return {
    view,
    list: () => view(({ all }) => all()),
    read: (productId, range) => view(({ prints }) => prints(productId, range)),
    recordRead: (perpetual, at) => mustWrite(({ write }) => write([countRead(venueId, perpetual, at)])),
    recordLeftOut: async (productId, from, rows) => {
      const put: Put = {
        table: fundingLeftOut,
        rows: rows.map(({ endAt, text }) => [venueId, productId, endAt, toKeyText(text)]),
      };
      const steps = from === null ? [put] : [remove('funding_left_out', productId, from), put];
      if (from !== null || rows.length > 0) await mustWrite(({ write }) => write(steps));
    },
    append: (productId, rows, found) =>
      putIf(productId, found, function* () {
        const counts = yield countAt(productId, rows);
        yield add(productId, rows, new Map(counts.map(([endAt, count]) => [String(endAt), Number(count)])));
      }),
    replace: async (productId, [first, ...others], found) => {
      if (first === undefined) return found ?? view(() => readNewest(productId));
      const from = others.reduce((least, { endAt }) => (endAt < least ? endAt : least), first.endAt);
      return replaceFrom(productId, from, [first, ...others], found);
    },
    replaceAll: (productId, rows, found) => replaceFrom(productId, '', rows, found),
    revise: (productId, rows, at) =>
      mustWrite(({ transact }) =>
        transact(function* () {
          yield lock(productId);
          yield* revise(productId, (yield readKnown(productId, rows)).map(toPrint), rows, at);
        }),
      ),
    reviseKnown: (byProduct, at) =>
      tryToWrite(async ({ read: readNow, transact }) => {
        for (const [productId, rows] of byProduct) {
          const findChanged = (known: readonly PrintRow[]) =>
            rows.filter(
              ({ endAt }) =>
                !saysTheSame(known.filter(isOf(endAt)), rows.filter(isOf(endAt))) && known.some(isOf(endAt)),
            );
          // Most of the time there is nothing to change, so nobody is kept waiting.
          if (findChanged((await readNow(readKnown(productId, rows))).map(toPrint)).length === 0) continue;
          await transact(function* () {
            yield lock(productId);
            const known = (yield readKnown(productId, rows)).map(toPrint);
            const again = findChanged(known);
            if (again.length > 0) yield* revise(productId, known, again, at);
          });
        }
      }),
    recordCheck: (productId, { checkedAt, beginsHere }) =>
      mustWrite(({ write }) =>
        write([
          {
            table: fundingChecks,
            rows: [[venueId, productId, Math.round(checkedAt), beginsHere === null ? null : Number(beginsHere)]],
          },
        ]),
      ),
  };

  /** Reads the rates that ended when the first of these did, or later. */
  function readKnown(productId: number, rows: readonly PrintRow[]): Read {
    const from = rows.reduce((least, { endAt }) => (endAt < least ? endAt : least), rows[0]?.endAt ?? '');
    const sql = `${PRINTS} AND end_at >= $3 ORDER BY end_at, place`;
    return { name: 'prints from', sql, values: [venueId, productId, from] };
  }

  function revise(
    productId: number,
    known: readonly PrintRow[],
    rows: readonly PrintRow[],
    at: number,
  ): readonly Step[] {
    const { from, merged, revised, withdrawn, listed } = compareAgain(known, rows);
    return [
      ...(from === null ? [] : [remove('funding_print', productId, from), add(productId, merged, new Map())]),
      {
        name: 'end withdrawals',
        sql:
          'DELETE FROM funding_revision WHERE venue = $1 AND product_id = $2 AND is_withdrawn = 1 AND ' +
          dialect.isAmong('end_at', 3, 'text'),
        values: [venueId, productId, listed],
      },
      ...revised.map((print) => putRevision(venueId, productId, { ...print, isWithdrawn: false, foundAt: at })),
      ...withdrawn.map((print) => putRevision(venueId, productId, { ...print, isWithdrawn: true, foundAt: at })),
    ];
  }
}

function isOf(end: string): (print: PrintRow) => boolean {
  return ({ endAt }) => endAt === end;
}

interface Compared {
  /** The end of the first interval that is new or says something else; null if there is none. */
  readonly from: string | null;
  /** All rates from there on, oldest first. */
  readonly merged: readonly PrintRow[];
  readonly revised: readonly PrintRow[];
  readonly withdrawn: readonly PrintRow[];
  /** The ends of the intervals that were read again. */
  readonly listed: readonly string[];
}

/** Compares rates that were read again with the known ones, which begin no later. */
function compareAgain(stored: readonly PrintRow[], rows: readonly PrintRow[]): Compared {
  const [known, again] = [stored.filter(isUsable), rows].map((prints) => Map.groupBy(prints, ({ endAt }) => endAt));
  const listed = [...(again?.keys() ?? [])].sort();
  const last = listed.at(-1) ?? '';
  const changed = listed.filter((end) => !saysTheSame(known?.get(end) ?? [], again?.get(end) ?? []));
  // Earlier versions stored rows that cannot be used.
  const unusable = stored.filter((print) => !isUsable(print)).map(({ endAt }) => endAt);
  const [from = null] = [...changed, ...unusable].sort();
  const ends = [...new Set([...(known?.keys() ?? []), ...listed])].sort();
  return {
    from,
    merged: ends
      .filter((end) => from !== null && end >= from)
      .flatMap((end) => again?.get(end) ?? known?.get(end) ?? []),
    revised: changed.flatMap((end) => known?.get(end) ?? []),
    withdrawn: ends.filter((end) => again?.has(end) === false && end < last).flatMap((end) => known?.get(end) ?? []),
    listed,
  };
}

function isUsable({ text }: PrintRow): boolean {
  return isPrint(JSON.parse(text));
}

/** A revision that is known already stays as it was first noticed. */
function putRevision(venueId: string, productId: number, { endAt, text, foundAt, isWithdrawn }: Revision): Change {
  return {
    name: 'put revision',
    sql: `INSERT INTO funding_revision (venue, product_id, end_at, digest, row, found_at, is_withdrawn)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (venue, product_id, end_at, digest) DO NOTHING`,
    values: [venueId, productId, endAt, digestOf(text), text, Math.round(foundAt), Number(isWithdrawn)],
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function countRead(venueId: string, { productId, baseSymbol }: Perpetual, at: number): Change {
  return {
    name: 'count read',
    sql: `INSERT INTO funding_perpetual (venue, product_id, base_symbol, reads, last_read_at) VALUES ($1, $2, $3, 1, $4)
      ON CONFLICT (venue, product_id) DO UPDATE
      SET base_symbol = excluded.base_symbol, reads = funding_perpetual.reads + 1,
        last_read_at = excluded.last_read_at`,
    values: [venueId, productId, baseSymbol, Math.round(at)],
  };
}

/** PostgreSQL rejects longer texts in a key. These rows are only counted, so a digest is enough. */
const MAX_KEY_LENGTH = 500;

function toKeyText(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? text : digestOf(text);
}
