import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** In one piece where it compressed no better than that: put together from many small ones, a list takes half as long again. */
const EXPECTED_RATIO = 12;

/** An empty list takes no bytes. */
export async function packList(list: readonly object[]): Promise<Uint8Array> {
  return list.length === 0 ? NOTHING : compress(JSON.stringify(list));
}

export async function unpackList<Item>(bytes: Uint8Array): Promise<readonly Item[]> {
  return bytes.byteLength === 0 ? [] : (JSON.parse((await decompress(bytes, { chunkSize: Math.max(constants.Z_DEFAULT_CHUNK, bytes.byteLength * EXPECTED_RATIO) })).toString()) as readonly Item[]);
}

const NOTHING = new Uint8Array();
