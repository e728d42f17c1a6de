import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** An empty list takes no bytes. */
export async function packList(list: readonly object[]): Promise<Uint8Array> {
  return list.length === 0 ? NOTHING : compress(JSON.stringify(list));
}

export async function unpackList<Item>(bytes: Uint8Array): Promise<readonly Item[]> {
  return bytes.byteLength === 0 ? [] : (JSON.parse((await decompress(bytes)).toString()) as readonly Item[]);
}

const NOTHING = new Uint8Array();
