import { createHash } from 'node:crypto';
import type { Change, Put, Read, ReadPlan } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { fundingLeftOut, fundingPrints } from '#server/store/tables.ts';
import {
  createFundingReads,
  type FundingReads,
  type KnownFunding,
  type Perpetual,
  type PrintRange,
  type StoredPrint,
} from './funding-reads.ts';
import type { PrintRow } from './print-rows.ts';

/** Settled funding, each print as received. Responses are built from it, so a failed read or write throws. */
export interface FundingStore {
  /** What the plan reads is of one moment. */
  readonly view: <Result>(plan: (reads: FundingReads) => ReadPlan<Result>) => Promise<Result>;
  readonly list: () => Promise<readonly KnownFunding[]>;
  /** Newest first. */
  readonly read: (productId: number, range: PrintRange) => Promise<readonly StoredPrint[]>;
  /** Counts a successful read, whether or not it brought anything new. */
  readonly recordRead: (perpetual: Perpetual, at: number) => Promise<void>;
  /** Stores rows that are no prints of the perpetual, in place of those that ended at `from` or later; null: beside all others. */
  readonly recordLeftOut: (productId: number, from: string | null, rows: readonly PrintRow[]) => Promise<void>;
  /** Adds newer prints. Several may share one instant. */
  readonly append: (productId: number, rows: readonly PrintRow[]) => Promise<void>;
  /** Replaces the newest prints, from the earliest of `rows` on. */
  readonly replace: (productId: number, rows: readonly PrintRow[]) => Promise<void>;
  /** Replaces all prints. */
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
    sql: `SELECT end_at, count(*) FROM funding_print WHERE venue = $1 AND product_id = $2 AND ${dialect.isAmong('end_at', 3, 'text')} GROUP BY end_at`,
    values: [venueId, productId, [...new Set(rows.map(({ endAt }) => endAt))]],
  });
  /** `taken`: the number of prints that are stored already, by the end of their interval. */
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
      SET base_symbol = excluded.base_symbol, reads = funding_perpetual.reads + 1, last_read_at = excluded.last_read_at`,
    values: [venueId, productId, baseSymbol, Math.round(at)],
  };
}

/** PostgreSQL refuses longer texts in a key. These are counted only, so that a digest is enough. */
const MAX_KEY_LENGTH = 500;

function toKeyText(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? text : createHash('sha256').update(text).digest('hex');
}
