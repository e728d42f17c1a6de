import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { REQUEST_ID_HEADER } from '#contract/desk.ts';
import { chooseContentCoding, contentCodings, type ContentCoding } from '../content-coding.ts';
import { entityTagOf, isHeldByClient } from '../entity-tag.ts';
import { securityHeaders } from '../security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this, the coding costs more than the bytes it saves. */
export const SMALLEST_CODED = 1_024;
/** Of the quality of gzip's best in a third of its time: answers live for seconds. */
const BROTLI_QUALITY = 4;

export function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> | Buffer {
  if (coding === 'identity') return body;
  if (coding === 'gzip') return compressGzip(body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength };
  return compressBrotli(body, { params });
}

export interface TextToSend {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly requestId: string;
}

/** Sends a text of the gateway's own. Gives the status, for the log. */
export async function sendText(request: IncomingMessage, response: ServerResponse, { status, type, text, requestId }: TextToSend): Promise<number> {
  const body = Buffer.from(text);
  const etag = entityTagOf(body);
  const headers = { ...securityHeaders, 'cache-control': 'private, no-cache', vary: 'accept-encoding', etag: `W/${etag}`, [REQUEST_ID_HEADER]: requestId };
  if (status === 200 && isHeldByClient(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  const wanted = chooseContentCoding(request.headers['accept-encoding'], contentCodings);
  const coding = body.byteLength < SMALLEST_CODED ? 'identity' : wanted;
  const coded = await compress(body, coding);
  response.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': coded.byteLength,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  });
  response.end(request.method === 'HEAD' ? undefined : coded);
  return status;
}
