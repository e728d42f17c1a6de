import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';

/** Reads the rows of a Parquet file. */
export async function readParquet(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return parquetReadObjects({
    file: await asyncBufferFromFile(path),
    compressors: { ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) },
  });
}
