import { createHash } from 'node:crypto';
import { type Change, limitTo, type Put, type Read, type ReadPlan, type Row } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { fundingLeftOut, fundingPrints } from '#server/store/tables.ts';

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
}

const KNOWN = `SELECT product_id, base_symbol, reads, last_read_at,
  (SELECT count(*) FROM funding_print f WHERE f.venue = p.venue AND f.product_id = p.product_id),
  (SELECT count(*) FROM funding_left_out l WHERE l.venue = p.venue AND l.product_id = p.product_id)
  FROM funding_perpetual p WHERE p.venue = $1`;

const PRINTS = 'SELECT end_at, place, row FROM funding_print WHERE venue = $1 AND product_id = $2';

function createFundingReads(venueId: string): FundingReads {
  return {
    *known(productId) {
      const [row] = yield {
        name: 'known perpetual',
        sql: `${KNOWN} AND p.product_id = $2`,
        values: [venueId, productId],
      };
      return row && toKnown(row);
    },
    *all() {
      const rows = yield { name: 'known perpetuals', sql: KNOWN, values: [venueId] };
      // Sorted here, because the database’s order depends on its language.
      return rows.map(toKnown).toSorted(bySymbol);
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
  };
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

function toKnown([productId, baseSymbol, reads, lastReadAt, prints, leftOut]: Row): KnownFunding {
  return {
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
  readonly append: (productId: number, rows: readonly PrintRow[]) => Promise<void>;
  /** Replaces the newest rates, from the earliest of `rows` on. */
  readonly replace: (productId: number, rows: readonly PrintRow[]) => Promise<void>;
  /** Replaces all rates. */
  readonly replaceAll: (productId: number, rows: readonly PrintRow[]) => Promise<void>;
}

export function createFundingStore({ dialect, read, mustWrite }: Store, venueId: string): FundingStore {
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
  const replaceFrom = (productId: number, from: string, rows: readonly PrintRow[]): Promise<void> =>
    mustWrite(({ write }) => write([remove('funding_print', productId, from), add(productId, rows, new Map())]));

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
    append: (productId, rows) =>
      mustWrite(async (store) => {
        const counts = await store.read(countAt(productId, rows));
        await store.write([
          add(productId, rows, new Map(counts.map(([endAt, count]) => [String(endAt), Number(count)]))),
        ]);
      }),
    replace: async (productId, [first, ...others]) => {
      if (first === undefined) return;
      const from = others.reduce((least, { endAt }) => (endAt < least ? endAt : least), first.endAt);
      await replaceFrom(productId, from, [first, ...others]);
    },
    replaceAll: (productId, rows) => replaceFrom(productId, '', rows),
  };
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
  return text.length <= MAX_KEY_LENGTH ? text : createHash('sha256').update(text).digest('hex');
}
