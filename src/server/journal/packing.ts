import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib';
import type { Change } from './segment/change.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** In one piece where it compressed no better than that: put together from many small ones, a list takes half as long again. */
const EXPECTED_RATIO = 12;

/** An empty list takes no bytes. */
export async function packList(list: readonly object[]): Promise<Uint8Array> {
  return list.length === 0 ? NOTHING : compress(JSON.stringify(list));
}

export async function unpackList<Item>(bytes: Uint8Array): Promise<readonly Item[]> {
  return bytes.byteLength === 0
    ? []
    : (JSON.parse((await decompress(bytes, inOnePiece(bytes))).toString()) as readonly Item[]);
}

/** For a thread that has nothing else to do. */
export function unpackChangesSync(bytes: Uint8Array): readonly Change[] {
  return bytes.byteLength === 0
    ? []
    : (JSON.parse(zstdDecompressSync(bytes, inOnePiece(bytes)).toString()) as readonly Change[]);
}

function inOnePiece({ byteLength }: Uint8Array): ZstdOptions {
  return { chunkSize: Math.max(constants.Z_DEFAULT_CHUNK, byteLength * EXPECTED_RATIO) };
}

const NOTHING = new Uint8Array();
