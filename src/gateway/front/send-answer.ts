import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANSWERED_AT_HEADER, REQUEST_ID_HEADER } from '#contract/desk.ts';
import { chooseContentCoding, contentCodings } from '../content-coding.ts';
import { isHeldByClient } from '../entity-tag.ts';
import type { Served } from '../ports.ts';
import { securityHeaders } from '../security-headers.ts';
import type { Encoded, Encodings } from './encodings.ts';

export interface Sending {
  readonly served: Served;
  readonly requestId: string;
  readonly now: number;
  readonly tookMs: number;
}

/** Sends the venue's bytes as they are, with what proves where and when they came from. Gives the status, for the log. */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, encodings: Encodings, sending: Sending): Promise<number> {
  const wanted = chooseContentCoding(request.headers['accept-encoding'], contentCodings);
  const form = encodings.of(sending.served.answer, wanted);
  return write(request, response, form instanceof Promise ? await form : form, sending);
}

function write(request: IncomingMessage, response: ServerResponse, form: Encoded, sending: Sending): number {
  const headers = headersOf(form, sending);
  if (isHeldByClient(request.headers['if-none-match'], form.tag)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  headers['content-type'] = sending.served.answer.contentType;
  headers['content-length'] = form.body.byteLength;
  if (form.coding !== 'identity') headers['content-encoding'] = form.coding;
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : form.body);
  return 200;
}

/** `no-cache`: a browser asks each time, with the tag it holds, so that what it shows is as fresh as the gateway's. */
function headersOf({ tag }: Encoded, { served, requestId, now, tookMs }: Sending): Record<string, string | number> {
  return {
    ...securityHeaders,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
    etag: tag,
    age: Math.max(0, Math.floor((now - served.answer.answeredAt) / 1_000)),
    'cache-status': formatCacheStatus(served),
    'server-timing': `desk;dur=${tookMs.toFixed(1)};desc="${served.how}"`,
    [ANSWERED_AT_HEADER]: new Date(served.answer.answeredAt).toISOString(),
    [REQUEST_ID_HEADER]: requestId,
  };
}

/** RFC 9211: `perpdesk; hit; ttl=12`. A negative time to live says that the answer is stale, the detail why. */
export function formatCacheStatus({ how, freshSeconds, staleBecause }: Served): string {
  const ttl = `ttl=${String(Math.floor(freshSeconds))}`;
  switch (how) {
    case 'hit':
      return `perpdesk; hit; ${ttl}`;
    case 'kept':
      return 'perpdesk; hit; detail=kept';
    case 'joined':
      return `perpdesk; fwd=miss; collapsed; ${ttl}`;
    case 'miss':
      return `perpdesk; fwd=miss; stored; ${ttl}`;
    case 'stale':
      return `perpdesk; hit; ${ttl}; detail=${staleBecause?.type ?? 'stale'}`;
  }
}
