import { limitTo, type Read, type ReadPlan, type Row } from '#sql/driver.ts';
import type { PrintRow } from './print-rows.ts';

export interface Perpetual {
  readonly productId: number;
  readonly baseSymbol: string;
}

/** What the store holds of a perpetual. */
export interface KnownFunding extends Perpetual {
  readonly prints: number;
  /** Distinct rows that did not answer the request they came with. */
  readonly leftOut: number;
  readonly reads: number;
  readonly lastReadAt: number;
}

/** A print's place: several may have ended at one instant. */
export interface PrintPlace {
  readonly endAt: string;
  readonly place: number;
}

export type StoredPrint = PrintRow & PrintPlace;

export interface PrintRange {
  /** Ended then or later. */
  readonly from: string;
  /** Only prints after this place, newest first. */
  readonly after: PrintPlace | null;
  readonly limit: number;
}

/** Reads of one exchange's funding, to be combined where their results must agree. */
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

export function createFundingReads(venueId: string): FundingReads {
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
      // Not in the database's order, which depends on its language.
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
