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
  const { always, withBody, body, tag } = sending.form;
  const own = ownHeaders(sending);
  if (isHeldByClient(request.headers['if-none-match'], tag)) {
    response.writeHead(304, always.concat(own)).end();
    return 304;
  }
  response.writeHead(200, always.concat(own, withBody));
  sendBody(response, request.method === 'HEAD' ? [] : body.pieces);
  return 200;
}

/** All of it at once: the system takes as much as it can. */
function sendBody(response: ServerResponse, pieces: readonly Buffer[]): void {
  const [first, ...others] = pieces;
  if (others.length === 0) {
    response.end(first);
    return;
  }
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** Those of this one sending. */
function ownHeaders({ served, requestId, now, tookMs }: Sending): string[] {
  const timing = `desk;dur=${tookMs.toFixed(1)};desc="${served.how}"`;
  return ['age', formatAge(served.answer.answeredAt, now), 'cache-status', formatCacheStatus(served), 'server-timing', timing, REQUEST_ID_HEADER, requestId];
}

export function formatAge(answeredAt: number, now: number): string {
  return String(Math.max(0, Math.floor((now - answeredAt) / 1_000)));
}

/** RFC 9211: `perpdesk; hit; ttl=12`. A negative time to live says that the answer is stale, the detail why. */
export function formatCacheStatus({ how, freshSeconds, staleBecause }: Pick<Served, 'how' | 'freshSeconds' | 'staleBecause'>): string {
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
