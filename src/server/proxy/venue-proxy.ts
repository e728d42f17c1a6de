import { needOf } from '#contract/desk/needs.ts';
import type { Reader, ReadOptions, Served, VenueRequest } from '#server/core/ports.ts';
import { countRows } from '#server/core/rows.ts';
import { isProblem } from '#server/core/venue-request.ts';
import { findObstacle, type Viewer } from '#server/core/viewer.ts';
import { contentCodings, createCodingChooser, type ContentCoding } from '#server/web/content-coding.ts';
import type { EncodedResponse, ResponseEncoder } from '#server/web/encoded-responses.ts';
import { sendFailure, sendProblem } from '#server/web/problem-document.ts';
import {
  abortOnDisconnect,
  pagePurposeOf,
  type RequestContext,
  type RouteHandler,
  type RouteResult,
} from '#server/web/request-context.ts';
import type { RequestParser } from './request-parser.ts';
import { sendVenueResponse } from '#server/web/send-response.ts';

export interface VenueProxyParts {
  readonly parser: RequestParser;
  readonly reader: Reader;
  /** Reads private data for a viewer who may not see all of it. */
  readonly readPart: (request: VenueRequest, viewer: Viewer, options: ReadOptions) => Promise<Served>;
  readonly encoder: ResponseEncoder;
  readonly now: () => number;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: () => number | null;
}

/**
 * Serves `/api/<path of the interface>` from the cache or the exchange. A hit in memory is sent synchronously: nearly
 * every request is one.
 */
export function createVenueProxy(parts: VenueProxyParts): RouteHandler {
  const chooseCoding = createCodingChooser(contentCodings);
  return (context) => {
    const { request, response, requestId, viewer } = context;
    const venueRequest = parts.parser.parse(context);
    if (isProblem(venueRequest))
      return { endpoint: 'none', outcome: venueRequest.type, status: sendProblem(response, venueRequest, requestId) };
    const obstacle = findObstacle(viewer, needOf(venueRequest.endpoint));
    if (obstacle !== null)
      return {
        endpoint: venueRequest.name,
        outcome: obstacle.type,
        status: sendProblem(response, obstacle, requestId),
      };
    const coding = chooseCoding(request.headers['accept-encoding']);
    const fail = (error: unknown): RouteResult => ({
      endpoint: venueRequest.name,
      ...sendFailure(response, error, requestId),
    });
    try {
      // What is cached for a question is what all may see who may see everything.
      const isPart = viewer.scope !== 'all' && venueRequest.endpoint.access === 'signed';
      const served = isPart ? undefined : parts.reader.find(venueRequest);
      if (served !== undefined) parts.parser.remember(context.url, venueRequest);
      const encoded =
        served === undefined
          ? read(parts, context, venueRequest, { coding, isPart })
          : encode(parts, venueRequest, served, coding);
      if (!(encoded instanceof Promise)) return send(parts, context, venueRequest, encoded);
      return encoded.then((later) => send(parts, context, venueRequest, later)).catch(fail);
    } catch (error) {
      return fail(error);
    }
  };
}

interface Encoded {
  readonly served: Served;
  readonly encoded: EncodedResponse;
}

interface Reading {
  readonly coding: ContentCoding;
  readonly isPart: boolean;
}

async function read(
  parts: VenueProxyParts,
  { request, response, viewer }: RequestContext,
  venueRequest: VenueRequest,
  { coding, isPart }: Reading,
): Promise<Encoded> {
  const purpose = pagePurposeOf(request) ?? venueRequest.endpoint.purpose;
  const options = { purpose, signal: abortOnDisconnect(response), payers: [viewer.payer] } as const;
  const served = await (isPart
    ? parts.readPart(venueRequest, viewer, options)
    : parts.reader.read(venueRequest, options));
  return encode(parts, venueRequest, served, coding);
}

function encode(
  { encoder }: VenueProxyParts,
  { endpoint }: VenueRequest,
  served: Served,
  coding: ContentCoding,
): Encoded | Promise<Encoded> {
  const encoded = encoder.encode(served, coding, endpoint.access);
  return encoded instanceof Promise ? encoded.then((later) => ({ served, encoded: later })) : { served, encoded };
}

function send(
  parts: VenueProxyParts,
  { request, response, requestId, startedAt }: RequestContext,
  { name }: VenueRequest,
  { served, encoded }: Encoded,
): RouteResult {
  const now = parts.now();
  const status = sendVenueResponse(request, response, {
    served,
    encoded,
    requestId,
    now,
    venueNow: parts.venueNow(),
    tookMs: now - startedAt,
  });
  return { endpoint: name, outcome: served.outcome, status, rows: () => countRows(served.response) };
}
