import { DuckDBInstance } from '@duckdb/node-api';
import { rmSync, writeFileSync } from 'node:fs';
import { bytesOf } from './bytes-of.ts';
import type { Contender } from './contender.ts';

/** Each field has the narrowest type that keeps its values; order ids and instants are exact. */
const COLUMNS = {
  symbol: 'VARCHAR',
  time: 'TIMESTAMP_NS',
  last_modified: 'TIMESTAMP_NS',
  product_id: 'INTEGER',
  product_type: 'VARCHAR',
  id: 'UBIGINT',
  connection_id: 'VARCHAR',
  clearing_firm_code: 'VARCHAR',
  account_id: 'VARCHAR',
  open_ack_id: 'UBIGINT',
  side: 'VARCHAR',
  price: 'BIGINT',
  avg_price: 'DOUBLE',
  quantity_requested: 'INTEGER',
  quantity_filled: 'INTEGER',
  status: 'VARCHAR',
  time_in_force: 'VARCHAR',
  kind: 'VARCHAR',
  since: 'BIGINT',
  seen: 'BIGINT',
};

/**
 * Stores one Parquet file per segment, by order and time, including the orders at its start. Rows come back as values,
 * not as they were written.
 */
export async function createDuckParquet(folder: string): Promise<Contender> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const read = async (sql: string): Promise<number> => (await connection.runAndReadAll(sql)).currentRowCount;
  const fileOf = (segment: number): string => `${folder}/${String(segment)}.parquet`;
  const columns = Object.entries(COLUMNS)
    .map(([name, type]) => `${name}: '${type}'`)
    .join(', ');
  return {
    keep: async ({ number, start, base, changes }) => {
      const lines = `${folder}/lines`;
      const atStart = base.map(({ row }) => toLine(row, 'seen', start, start));
      writeFileSync(
        lines,
        [...atStart, ...changes.map(({ row, kind, from, to }) => toLine(row, kind, from, to))].join('\n'),
      );
      const rows = `SELECT * FROM read_json('${lines}', format = 'newline_delimited', columns = {${columns}}) ORDER BY id, seen`;
      await connection.run(`COPY (${rows}) TO '${fileOf(number)}' (FORMAT parquet, COMPRESSION zstd)`);
      rmSync(lines);
    },
    countBook: (segment, reading) =>
      read(`
        SELECT * FROM (
          SELECT * FROM '${fileOf(segment)}' WHERE seen <= ${String(reading)}
          QUALIFY row_number() OVER (PARTITION BY id ORDER BY seen DESC) = 1
        ) WHERE kind <> 'gone'`),
    // Orders that were there at a segment's start are not changes.
    countLife: (id) => read(`SELECT * FROM '${folder}/*.parquet' WHERE id = ${id} AND since < seen ORDER BY seen`),
    size: () => bytesOf(folder),
    [Symbol.asyncDispose]: () => {
      connection.closeSync();
      instance.closeSync();
      return Promise.resolve();
    },
  };
}

function toLine(row: string, kind: string, since: number | null, seen: number): string {
  return `${row.slice(0, -1)},"kind":"${kind}","since":${String(since)},"seen":${String(seen)}}`;
}
