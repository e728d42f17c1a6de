import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import type { Endpoint } from '#contract/exchange/endpoints.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import { CACHE_CONTROL } from './cache-control.ts';
import { codingFor, compress } from './compress.ts';
import { chooseContentCoding, contentCodings, type ContentCoding } from './content-coding.ts';
import { entityTagOf, matchesEntityTag } from './entity-tag.ts';
import { securityHeaders } from './security-headers.ts';

interface TextToSend {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly requestId: string;
  readonly access: Endpoint['access'];
  /** More headers, also with 304. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a text that the gateway composed. Returns the status, for the log. */
export type SendText = (request: IncomingMessage, response: ServerResponse, toSend: TextToSend) => Promise<number>;

export type Compress = (body: Buffer, coding: Exclude<ContentCoding, 'identity'>) => Promise<Buffer>;

/** Screens request the same few texts, so each is compressed once for all of them. */
const MAX_COMPRESSED = 8;

export function createTextSender(compressText: Compress = compress): SendText {
  const compressOnce = createTextCompressor(compressText);
  return async (request, response, { status, type, text, requestId, access, headers: more }) => {
    const body = Buffer.from(text);
    const etag = entityTagOf(body);
    const headers = {
      ...securityHeaders,
      'cache-control': CACHE_CONTROL[access],
      'vary': 'accept-encoding',
      'etag': `W/${etag}`,
      [REQUEST_ID_HEADER]: requestId,
      ...more,
    };
    if (status === 200 && matchesEntityTag(request.headers['if-none-match'], etag)) {
      response.writeHead(304, headers).end();
      return 304;
    }
    const coding = codingFor(body.byteLength, chooseContentCoding(request.headers['accept-encoding'], contentCodings));
    const encoded = coding === 'identity' ? body : await compressOnce(body, etag, coding);
    response.writeHead(status, {
      ...headers,
      'content-type': type,
      'content-length': encoded.byteLength,
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    });
    response.end(request.method === 'HEAD' ? undefined : encoded);
    return status;
  };
}

function createTextCompressor(
  compressText: Compress,
): (...args: [body: Buffer, etag: string, coding: Exclude<ContentCoding, 'identity'>]) => Promise<Buffer> {
  const compressed = new Map<string, Promise<Buffer>>();
  return (body, etag, coding) => {
    const key = `${coding} ${etag}`;
    const known = compressed.get(key) ?? compressText(body, coding);
    setBounded(compressed, key, known, MAX_COMPRESSED);
    known.catch(() => {
      if (compressed.get(key) === known) compressed.delete(key);
    });
    return known;
  };
}
