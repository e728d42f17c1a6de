import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { REQUEST_ID_HEADER } from '#contract/desk.ts';
import { chooseContentCoding, contentCodings, type ContentCoding } from '../content-coding.ts';
import { entityTagOf, isHeldByClient } from '../entity-tag.ts';
import { keepLatest } from '../keep-latest.ts';
import { securityHeaders } from '../security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this, the coding costs more than the bytes it saves. */
export const SMALLEST_CODED = 1_024;
/** Of the quality of gzip's best in a third of its time: answers live for seconds. */
const BROTLI_QUALITY = 4;
/** From this size on, a tenth fewer bytes to every client are worth half as much time again, once. */
const LARGE = 256 * 1_024;
const BROTLI_QUALITY_OF_LARGE = 6;

export function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> | Buffer {
  if (coding === 'identity') return body;
  if (coding === 'gzip') return compressGzip(body);
  const quality = body.byteLength < LARGE ? BROTLI_QUALITY : BROTLI_QUALITY_OF_LARGE;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength };
  return compressBrotli(body, { params });
}

interface TextToSend {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly requestId: string;
  /** More headers, also with 304. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a text of the gateway's own. Gives the status, for the log. */
export type SendText = (request: IncomingMessage, response: ServerResponse, toSend: TextToSend) => Promise<number>;

/** Screens ask for the same few texts: what is packed for one of them is packed for all, until others come. */
const MOST_PACKED = 8;

export function createTextSender(): SendText {
  const pack = createPacker();
  return async (request, response, { status, type, text, requestId, headers: more }) => {
    const body = Buffer.from(text);
    const etag = entityTagOf(body);
    const headers = { ...securityHeaders, 'cache-control': 'private, no-cache', vary: 'accept-encoding', etag: `W/${etag}`, [REQUEST_ID_HEADER]: requestId, ...more };
    if (status === 200 && isHeldByClient(request.headers['if-none-match'], etag)) {
      response.writeHead(304, headers).end();
      return 304;
    }
    const wanted = chooseContentCoding(request.headers['accept-encoding'], contentCodings);
    const coding = body.byteLength < SMALLEST_CODED ? 'identity' : wanted;
    const coded = await pack(body, etag, coding);
    response.writeHead(status, {
      ...headers,
      'content-type': type,
      'content-length': coded.byteLength,
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    });
    response.end(request.method === 'HEAD' ? undefined : coded);
    return status;
  };
}

function createPacker(): (body: Buffer, etag: string, coding: ContentCoding) => Promise<Buffer> | Buffer {
  const packed = new Map<string, Promise<Buffer> | Buffer>();
  return (body, etag, coding) => {
    if (coding === 'identity') return body;
    const key = `${coding} ${etag}`;
    const known = packed.get(key) ?? compress(body, coding);
    keepLatest(packed, key, known, MOST_PACKED);
    return known;
  };
}
