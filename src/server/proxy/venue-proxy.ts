import { ANSWERED_AT_HEADER, VENUE_TIME_HEADER } from '#contract/desk/desk.ts';
import type { VenueProfile } from '#contract/exchange/venues.ts';
import type { Reader, ReadOptions, Served, VenueRequest } from '#server/core/ports.ts';
import { countRows } from '#server/core/rows.ts';
import { isProblem, parseVenueRequest } from '#server/core/venue-request.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { sendFailure, sendProblem } from '#server/web/problem-document.ts';
import { abortOnDisconnect, pagePurposeOf } from '#server/web/request-context.ts';
import type { Routes } from '#server/web/router.ts';
import { provenanceHeaders, type SendResponse } from '#server/web/send-response.ts';

export interface VenueProxyParts {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  /** Reads private data for a viewer who may not see all of it. */
  readonly readPart: (request: VenueRequest, viewer: Viewer, options: ReadOptions) => Promise<Served>;
  readonly send: SendResponse;
  readonly now: () => number;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: () => number | null;
}

/** Serves `/api/<path of the interface>` from the cache or the exchange, to whoever may see it. */
export function createVenueProxy(parts: VenueProxyParts): Routes['below']['handle'] {
  return async ({ request, response, requestId, startedAt, rawQuery, viewer }, route) => {
    const venueRequest = parseVenueRequest(route, rawQuery, parts.profile);
    if (isProblem(venueRequest))
      return { endpoint: 'none', outcome: venueRequest.type, status: sendProblem(response, venueRequest, requestId) };
    const { name, endpoint } = venueRequest;
    try {
      const purpose = pagePurposeOf(request) ?? endpoint.purpose;
      const options = { purpose, signal: abortOnDisconnect(response), payers: [viewer.payer] } as const;
      // What is cached for a question is what all may see who may see everything.
      const isPart = viewer.scope !== 'all' && endpoint.access === 'signed';
      const served = isPart
        ? await parts.readPart(venueRequest, viewer, options)
        : await parts.reader.read(venueRequest, options);
      const { body, tag, contentType, answeredAt } = served.response;
      const now = parts.now();
      const venueNow = parts.venueNow();
      const status = await parts.send(request, response, {
        type: contentType,
        body,
        tag,
        requestId,
        access: endpoint.access,
        headers: [
          ...provenanceHeaders({ ...served, answeredAt }, now),
          ...[ANSWERED_AT_HEADER, new Date(answeredAt).toISOString()],
          ...['server-timing', `desk;dur=${(now - startedAt).toFixed(1)};desc="${served.outcome}"`],
          ...(venueNow === null ? [] : [VENUE_TIME_HEADER, new Date(venueNow).toISOString()]),
        ],
      });
      return { endpoint: name, outcome: served.outcome, status, rows: () => countRows(served.response) };
    } catch (error) {
      return { endpoint: name, ...sendFailure(response, error, requestId) };
    }
  };
}
