import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import type { Endpoint } from '#contract/exchange/endpoints.ts';
import { createBody, type Body } from '#server/core/body.ts';
import type { Provenance } from '#server/core/provenance.ts';
import {
  chooseContentCoding,
  codingFor,
  contentCodings,
  createCompressor,
  entityTagOf,
  matchesEntityTag,
  tagOfCoding,
} from './representations.ts';
import { securityHeaders } from './security-headers.ts';

interface ToSend {
  readonly status?: number;
  readonly type: string;
  readonly body: Body;
  /** Of the body as it is. */
  readonly tag: string;
  readonly requestId: string;
  readonly access: Endpoint['access'];
  /** Names and values in turn of more headers, also with 304. */
  readonly headers?: readonly string[];
}

/** Sends a response, or 304 if the client has it. Returns the status, for the log. */
export type SendResponse = (request: IncomingMessage, response: ServerResponse, toSend: ToSend) => Promise<number>;

/**
 * What a browser may do with a response. Public ones it revalidates each time, so that it never shows older data than the
 * gateway has. Signed ones it must not store: a page keeps them in memory and sends their tags itself.
 */
const CACHE_CONTROL = { public: 'private, no-cache', signed: 'private, no-store' } as const;

/** Names and values in turn, which Node writes as they are. */
const ALWAYS = [...Object.entries(securityHeaders).flat(), 'vary', 'accept-encoding'];

/** Room for the compressed forms of all that screens request again. */
const COMPRESSED_BYTES = 16 * 1_024 * 1_024;

export function createSender(compressOnce = createCompressor(COMPRESSED_BYTES)): SendResponse {
  return async (request, response, { status = 200, type, body, tag, requestId, access, headers: more = [] }) => {
    const coding = codingFor(body.byteLength, chooseContentCoding(request.headers['accept-encoding'], contentCodings));
    const tagOfForm = tagOfCoding(tag, coding);
    const headers = ALWAYS.concat('cache-control', CACHE_CONTROL[access], 'etag', tagOfForm);
    headers.push(REQUEST_ID_HEADER, requestId, ...more);
    if (status === 200 && matchesEntityTag(request.headers['if-none-match'], tagOfForm)) {
      response.writeHead(304, headers).end();
      return 304;
    }
    const form = coding === 'identity' ? body : createBody([await compressOnce(body, tag, coding)]);
    headers.push('content-type', type, 'content-length', String(form.byteLength));
    if (coding !== 'identity') headers.push('content-encoding', coding);
    response.writeHead(status, headers);
    end(response, request.method === 'HEAD' ? [] : form.pieces);
    return status;
  };
}

/** All pieces in one write: the system takes as much as it can. */
function end(response: ServerResponse, pieces: readonly Buffer[]): void {
  const [first, ...others] = pieces;
  if (others.length === 0) {
    response.end(first);
    return;
  }
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** The body of a text that Perpdesk composed. Its tag is weak: the forms of a text are equal in meaning. */
export function toTextBody(text: string): Pick<ToSend, 'body' | 'tag'> {
  const bytes = Buffer.from(text);
  return { body: createBody([bytes]), tag: `W/${entityTagOf(bytes)}` };
}

/** How old the data of a response are, and how they were served. */
export function provenanceHeaders(provenance: Provenance, now: number): readonly string[] {
  return ['age', formatAge(provenance.answeredAt, now), 'cache-status', formatCacheStatus(provenance)];
}

export function formatAge(answeredAt: number, now: number): string {
  return String(Math.max(0, Math.floor((now - answeredAt) / 1_000)));
}

/** RFC 9211: `perpdesk; hit; ttl=12`. A negative ttl marks a stale response, and the detail says why it was served. */
export function formatCacheStatus({
  outcome,
  freshSeconds,
  staleBecause,
}: Pick<Provenance, 'outcome' | 'freshSeconds' | 'staleBecause'>): string {
  const ttl = `ttl=${String(Math.floor(freshSeconds))}`;
  switch (outcome) {
    case 'hit':
      return `perpdesk; hit; ${ttl}`;
    case 'disk-hit':
      return 'perpdesk; hit; detail=disk';
    case 'coalesced':
      return `perpdesk; fwd=miss; collapsed; ${ttl}`;
    case 'miss':
      return `perpdesk; fwd=miss; stored; ${ttl}`;
    case 'stale':
      return `perpdesk; hit; ${ttl}; detail=${staleBecause?.type ?? 'stale'}`;
  }
}
