import { DatabaseSync } from 'node:sqlite';
import { compareOrderIds, type OrderId } from '../../../src/contract/ids.ts';
import { decodeBook, decodeOrder, encodeBlocks, type Block } from '../../../src/gateway/journal/segment/block.ts';
import { bytesOf } from './bytes-of.ts';
import type { Contender, Segment } from './contender.ts';

/** Blocks in a table, and an index from orders to the blocks that hold changes of them. */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE block (segment INTEGER, place INTEGER, first_id TEXT, last_id TEXT, bytes BLOB, PRIMARY KEY (segment, place));
  CREATE TABLE known (order_id INTEGER, segment INTEGER, place INTEGER, PRIMARY KEY (order_id, segment)) WITHOUT ROWID;
`;

export function createSegments(folder: string): Promise<Contender> {
  const store = openStore(`${folder}/segments.db`);
  return Promise.resolve({
    keep: ({ number, base, changes }: Segment) => {
      store.add(number, encodeBlocks({ base: base.map(({ row }) => row), changes }), changes);
      return Promise.resolve();
    },
    countBook: (segment: number, reading: number) => {
      const book = new Map<string, string>();
      for (const bytes of store.blocksOf(segment)) for (const [id, row] of decodeBook(bytes, reading)) book.set(id, row);
      return Promise.resolve(book.size);
    },
    countLife: (id: string) => Promise.resolve(store.blocksWith(id).flatMap((bytes) => decodeOrder(bytes, id).changes).length),
    size: () => bytesOf(folder),
    blockBytes: store.blockBytes,
    [Symbol.asyncDispose]: () => {
      store.close();
      return Promise.resolve();
    },
  });
}

/** As much of a store as is measured here. */
function openStore(file: string) {
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  const addBlock = database.prepare('INSERT INTO block VALUES (?, ?, ?, ?, ?)');
  const addOrder = database.prepare('INSERT INTO known VALUES (?, ?, ?)');
  const ofSegment = database.prepare('SELECT bytes FROM block WHERE segment = ? ORDER BY place');
  const ofOrder = database.prepare('SELECT bytes FROM known JOIN block USING (segment, place) WHERE order_id = ? ORDER BY segment');
  const allBytes = database.prepare('SELECT sum(length(bytes)) AS bytes FROM block');
  return {
    add: (segment: number, blocks: readonly Block[], changes: Segment['changes']): void => {
      database.exec('BEGIN');
      for (const [place, { firstId, lastId, bytes }] of blocks.entries()) addBlock.run(segment, place, firstId, lastId, bytes);
      for (const [id, place] of placesOf(blocks, changes)) addOrder.run(toKey(id), segment, place);
      database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    },
    blocksOf: (segment: number) => ofSegment.all(segment).map(({ bytes }) => bytes as Uint8Array),
    blocksWith: (id: string) => ofOrder.all(toKey(id)).map(({ bytes }) => bytes as Uint8Array),
    blockBytes: () => Number(allBytes.get()?.['bytes']),
    close: (): void => {
      database.close();
    },
  };
}

function placesOf(blocks: readonly Block[], changes: Segment['changes']): ReadonlyMap<string, number> {
  const ids = [...new Set(changes.map(({ id }) => id))].sort((a, b) => compareOrderIds(a as OrderId, b as OrderId));
  let place = 0;
  return new Map(
    ids.map((id) => {
      while (compareOrderIds(id as OrderId, (blocks[place]?.lastId ?? id) as OrderId) > 0) place++;
      return [id, place];
    }),
  );
}

/** SQLite has integers of 64 bits; ids of orders may have more. */
function toKey(id: string): bigint {
  return BigInt.asIntN(64, BigInt(id));
}
