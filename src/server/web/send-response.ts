import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER, VENUE_TIME_HEADER } from '#contract/desk/desk.ts';
import type { Served } from '#server/core/ports.ts';
import { formatAge, formatCacheStatus } from './cache-status.ts';
import type { EncodedResponse } from './encoded-responses.ts';
import { matchesEntityTag } from './entity-tag.ts';

export interface Sending {
  readonly served: Served;
  readonly encoded: EncodedResponse;
  readonly requestId: string;
  readonly now: number;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: number | null;
  readonly tookMs: number;
}

/** Sends the exchange's bytes unchanged, with headers that say where and when they came from. Returns the status, for the log. */
export function sendVenueResponse(request: IncomingMessage, response: ServerResponse, sending: Sending): number {
  const { always, withBody, body, tag } = sending.encoded;
  const headers = always.concat(sendingHeaders(sending));
  if (matchesEntityTag(request.headers['if-none-match'], tag)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  response.writeHead(200, headers.concat(withBody));
  sendBody(response, request.method === 'HEAD' ? [] : body.pieces);
  return 200;
}

/** All pieces in one write: the system takes as much as it can. */
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

function sendingHeaders({ served, requestId, now, venueNow, tookMs }: Sending): string[] {
  const timing = `desk;dur=${tookMs.toFixed(1)};desc="${served.outcome}"`;
  const venueTime = venueNow === null ? [] : [VENUE_TIME_HEADER, new Date(venueNow).toISOString()];
  return [
    'age',
    formatAge(served.response.answeredAt, now),
    'cache-status',
    formatCacheStatus(served),
    'server-timing',
    timing,
    REQUEST_ID_HEADER,
    requestId,
    ...venueTime,
  ];
}
