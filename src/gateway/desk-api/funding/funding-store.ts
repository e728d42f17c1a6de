import type { DatabaseSync } from 'node:sqlite';
import type { Disk } from '../../disk.ts';
import type { PrintRow } from './print-rows.ts';

export interface Perpetual {
  readonly productId: number;
  readonly baseSymbol: string;
}

/** What the disk holds of a perpetual. */
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

interface PrintRange {
  /** Ended then or later. */
  readonly from: string;
  /** Only prints after this place, newest first. */
  readonly after: PrintPlace | null;
  readonly limit: number;
}

/** Settled funding on disk, each print as received. Responses are built from it, so a failed write throws. */
export interface FundingStore {
  readonly find: (productId: number) => KnownFunding | undefined;
  readonly list: () => readonly KnownFunding[];
  /** Counts a successful read, whether or not it brought anything new. */
  readonly recordRead: (perpetual: Perpetual, at: number) => void;
  /** Stores rows that are no prints of the perpetual, in place of those that ended at `from` or later; null: beside all others. */
  readonly recordLeftOut: (productId: number, from: string | null, rows: readonly PrintRow[]) => void;
  /** Adds newer prints. Several may share one instant. */
  readonly append: (productId: number, rows: readonly PrintRow[]) => void;
  /** Replaces the newest prints, from the earliest of `rows` on. */
  readonly replace: (productId: number, rows: readonly PrintRow[]) => void;
  /** Replaces all prints. */
  readonly replaceAll: (productId: number, rows: readonly PrintRow[]) => void;
  /** Newest first. */
  readonly read: (productId: number, range: PrintRange) => readonly StoredPrint[];
  readonly oldest: (productId: number) => StoredPrint | undefined;
}

const SCHEMA = `
  create table if not exists funding_perpetual (
    venue text not null, product_id integer not null, base_symbol text not null,
    reads integer not null, last_read_at integer not null, primary key (venue, product_id)
  ) without rowid;
  create table if not exists funding_print (
    venue text not null, product_id integer not null, end_at text not null, place integer not null, row text not null,
    primary key (venue, product_id, end_at, place)
  ) without rowid;
  create table if not exists funding_left_out (
    venue text not null, product_id integer not null, end_at text not null, row text not null,
    primary key (venue, product_id, end_at, row)
  ) without rowid`;

const KNOWN = `select product_id, base_symbol, reads, last_read_at,
  (select count(*) from funding_print where venue = p.venue and product_id = p.product_id) as prints,
  (select count(*) from funding_left_out where venue = p.venue and product_id = p.product_id) as left_out
  from funding_perpetual p where venue = ?`;

export function createFundingStore({ database, mustWrite }: Disk, venueId: string): FundingStore {
  database.exec(SCHEMA);
  const known = database.prepare(`${KNOWN} and product_id = ?`);
  const all = database.prepare(`${KNOWN} order by base_symbol, product_id`);
  const note = database.prepare(`insert into funding_perpetual (venue, product_id, base_symbol, reads, last_read_at)
    values (?, ?, ?, 1, ?)
    on conflict do update set base_symbol = excluded.base_symbol, reads = reads + 1, last_read_at = excluded.last_read_at`);
  const add = createAdder(database, venueId);
  const remove = database.prepare('delete from funding_print where venue = ? and product_id = ? and end_at >= ?');
  const select = database.prepare(`select end_at, place, row from funding_print
    where venue = ? and product_id = ? and end_at >= ? and (end_at < ? or (end_at = ? and place < ?))
    order by end_at desc, place desc limit ?`);
  const first = database.prepare('select end_at, place, row from funding_print where venue = ? and product_id = ? order by end_at, place limit 1');

  const changeAtomically = (change: () => void): void => {
    mustWrite(() => {
      inTransaction(database, change);
    });
  };

  const replaceFrom = (productId: number, from: string, rows: readonly PrintRow[]): void => {
    changeAtomically(() => {
      remove.run(venueId, productId, from);
      add(productId, rows);
    });
  };

  return {
    find: (productId) => {
      const row = known.get(venueId, productId);
      return row && toKnown(row);
    },
    list: () => all.all(venueId).map(toKnown),
    recordRead: ({ productId, baseSymbol }, at) => {
      mustWrite(() => note.run(venueId, productId, baseSymbol, at));
    },
    recordLeftOut: createLeftOut(database, venueId, changeAtomically),
    append: (productId, rows) => {
      changeAtomically(() => {
        add(productId, rows);
      });
    },
    replace: (productId, rows) => {
      replaceFrom(productId, rows.reduce((least, { endAt }) => (endAt < least ? endAt : least), LAST), rows);
    },
    replaceAll: (productId, rows) => {
      replaceFrom(productId, '', rows);
    },
    read: (productId, { from, after, limit }) => {
      const { endAt, place } = after ?? { endAt: LAST, place: 0 };
      return select.all(venueId, productId, from, endAt, endAt, place, limit).map(toPrint);
    },
    oldest: (productId) => {
      const row = first.get(venueId, productId);
      return row && toPrint(row);
    },
  };
}

type Add = (productId: number, rows: readonly PrintRow[]) => void;

function createAdder(database: DatabaseSync, venueId: string): Add {
  const count = database.prepare('select count(*) as place from funding_print where venue = ? and product_id = ? and end_at = ?');
  const insert = database.prepare('insert into funding_print (venue, product_id, end_at, place, row) values (?, ?, ?, ?, ?)');
  return (productId, rows) => {
    for (const { endAt, text } of rows) {
      const { place } = count.get(venueId, productId, endAt) as { readonly place: number };
      insert.run(venueId, productId, endAt, place, text);
    }
  };
}

function createLeftOut(database: DatabaseSync, venueId: string, changeAtomically: (change: () => void) => void): FundingStore['recordLeftOut'] {
  const remove = database.prepare('delete from funding_left_out where venue = ? and product_id = ? and end_at >= ?');
  const insert = database.prepare('insert or ignore into funding_left_out (venue, product_id, end_at, row) values (?, ?, ?, ?)');
  return (productId, from, rows) => {
    changeAtomically(() => {
      if (from !== null) remove.run(venueId, productId, from);
      for (const { endAt, text } of rows) insert.run(venueId, productId, endAt, text);
    });
  };
}

/** After every instant. */
const LAST = '~';

type SqlRow = Readonly<Record<string, unknown>>;

function toKnown(row: SqlRow): KnownFunding {
  const { product_id, base_symbol, reads, last_read_at, prints, left_out } = row;
  return {
    productId: Number(product_id),
    baseSymbol: String(base_symbol),
    prints: Number(prints),
    leftOut: Number(left_out),
    reads: Number(reads),
    lastReadAt: Number(last_read_at),
  };
}

function toPrint({ end_at, place, row }: SqlRow): StoredPrint {
  return { endAt: String(end_at), place: Number(place), text: String(row) };
}

function inTransaction(database: DatabaseSync, change: () => void): void {
  database.exec('begin');
  try {
    change();
    database.exec('commit');
  } catch (error) {
    // A full disk has ended the transaction already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}
