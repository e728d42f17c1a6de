import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk.ts';
import { isHeldByClient } from '../entity-tag.ts';
import type { Served } from '../ports.ts';
import type { Encoded } from './encodings.ts';

export interface Sending {
  readonly served: Served;
  readonly form: Encoded;
  readonly requestId: string;
  readonly now: number;
  readonly tookMs: number;
}

/** Sends the venue's bytes as they are, with what proves where and when they came from. Gives the status, for the log. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, sending: Sending): number {
  const { form } = sending;
  if (isHeldByClient(request.headers['if-none-match'], form.tag)) {
    response.writeHead(304, withOwn(form.notModified, sending)).end();
    return 304;
  }
  response.writeHead(200, withOwn(form.whole, sending)).end(request.method === 'HEAD' ? undefined : form.body);
  return 200;
}

/** The prepared headers, and those of this one sending. */
function withOwn(prepared: readonly string[], { served, requestId, now, tookMs }: Sending): string[] {
  const age = Math.max(0, Math.floor((now - served.answer.answeredAt) / 1_000));
  return prepared.concat(
    ...['age', String(age), 'cache-status', formatCacheStatus(served)],
    ...['server-timing', `desk;dur=${tookMs.toFixed(1)};desc="${served.how}"`, REQUEST_ID_HEADER, requestId],
  );
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
