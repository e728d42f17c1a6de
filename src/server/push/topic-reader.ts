import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { isOfDesk, toDeskName } from '#contract/desk/topics.ts';
import type { VenueProfile } from '#contract/exchange/venues.ts';
import type { Responders } from '#server/readings/desk-api.ts';
import type { Purpose, Reader } from '#server/core/ports.ts';
import { provenanceOf } from '#server/core/provenance.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import type { HubParts } from './hub.ts';
import type { TopicRequest } from './topic-request.ts';

/** For each topic that the desk composes itself. */
export type TopicResponders = Responders & { readonly alerts: Responders['status'] };

export interface TopicReaderParts {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly responders: TopicResponders;
}

/** Reads a topic as a page would, by the same path. */
export function createTopicReader(parts: TopicReaderParts): HubParts['read'] {
  return async ({ topic: { endpoint }, pairs }, { isFirst, isFollowed, payers, signal }) => {
    const purpose = toPurpose(isFirst, isFollowed);
    if (!isOfDesk(endpoint))
      return readFromVenue(parts, endpoint, pairs, { purpose: purpose ?? ENDPOINTS[endpoint].purpose, payers, signal });
    const {
      text,
      step,
      provenance,
      reads = 0,
      sent = 0,
    } = await parts.responders[toDeskName(endpoint)]({ query: pairs, purpose, payers, signal, viewer: LOCAL_VIEWER });
    return { text, step, provenance, cost: reads, sent };
  };
}

/** Undefined: that of the endpoint. The reserve is not for what a stream follows, however many topics that are; nobody waits for what none does. */
function toPurpose(isFirst: boolean, isFollowed: boolean): Purpose | undefined {
  if (!isFollowed) return 'prefetch';
  return isFirst ? 'working' : undefined;
}

async function readFromVenue(
  { profile, reader }: TopicReaderParts,
  name: EndpointName,
  pairs: TopicRequest['pairs'],
  options: Parameters<Reader['read']>[1],
) {
  const inPath = ENDPOINTS[name].pathParameters;
  const isInPath = ([parameter]: TopicRequest['pairs'][number]): boolean => Object.hasOwn(inPath, parameter);
  const request = toVenueRequest(
    profile,
    name,
    Object.fromEntries(pairs.filter(isInPath)),
    pairs.filter((pair) => !isInPath(pair)),
  );
  const served = await reader.read(request, options);
  return {
    text: served.response.body.toString(),
    provenance: provenanceOf(served),
    cost: 1,
    sent: served.outcome === 'miss' ? 1 : 0,
  };
}
