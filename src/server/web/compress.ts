import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ContentCoding } from './content-coding.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this, compression costs more than the bytes it saves. */
const MIN_COMPRESSED_BYTES = 1_024;
/** As small as gzip's best in a third of its time: responses live for seconds. */
const BROTLI_QUALITY = 4;
/** From this size on, a tenth fewer bytes to every client are worth half as much time again, once. */
const LARGE_BYTES = 256 * 1_024;
const BROTLI_QUALITY_OF_LARGE = 6;

/** The coding for a body of this size, given the one the client prefers. */
export function codingFor(byteLength: number, preferred: ContentCoding): ContentCoding {
  return byteLength < MIN_COMPRESSED_BYTES ? 'identity' : preferred;
}

export function compress(body: Buffer, coding: Exclude<ContentCoding, 'identity'>): Promise<Buffer> {
  if (coding === 'gzip') return compressGzip(body);
  const quality = body.byteLength < LARGE_BYTES ? BROTLI_QUALITY : BROTLI_QUALITY_OF_LARGE;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength };
  return compressBrotli(body, { params });
}
