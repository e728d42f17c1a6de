import { type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { isOfDesk, toDeskName } from '#contract/desk/topics.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { Responders } from '#server/readings/desk-api.ts';
import { provenanceOf, type Purpose, type Reader, type ServerPorts } from '#server/core/ports.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import { DESK_FAULT, toProblemDocument } from '#server/web/error-responses.ts';
import type { DropCheck } from '#server/readings/working-orders/drop-check.ts';
import { createFindOwn } from '#server/readings/working-orders/describe-working-set.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Changes, FollowTopic } from '#server/core/topics.ts';
import { createHub, type Hub, type HubDeps } from './hub.ts';
import { type TopicRequest, toTopicRequest } from './topic-request.ts';
import { createLiveRoute, type LiveRoute, type LiveRouteDeps } from './live-route.ts';
import { createViewedFeeds, type ViewedFeeds } from './viewed-feeds.ts';

export interface Live {
  readonly hub: Hub;
  readonly feeds: Pick<ViewedFeeds, 'close'>;
  readonly route: LiveRoute;
  readonly state: () => LiveState;
  readonly watch: FollowTopic;
  /** Takes the responders of the topics. Must be called before the first topic is followed. */
  readonly serve: (responders: TopicResponders) => void;
}

interface LiveDeps
  extends
    Omit<TopicReaderDeps, 'responders'>,
    Pick<HubDeps, 'rateLimiter' | 'venueNow' | 'aliasOf'>,
    Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'>,
    Pick<LiveRouteDeps, 'isCompressed' | 'onStream'> {
  readonly nextRequestId: () => string;
  readonly missing: DropCheck['missing'];
  readonly changes: Pick<Changes, 'onNote'>;
}

/** Opens the streams and the hub that reads their topics. */
export function openLive(deps: LiveDeps): Live {
  const toProblem = (error: unknown): ProblemDocument => {
    const id = deps.nextRequestId();
    if (error instanceof VenueFailure) return toProblemDocument(error.problem, id);
    deps.log('error', 'live reading failed', {
      requestId: id,
      reason: error instanceof Error ? error.stack : String(error),
    });
    return toProblemDocument(DESK_FAULT, id);
  };
  // The status describes the streams, and streams send the status, so the responders are filled in last.
  const responders = {} as TopicResponders;
  const hub = createHub({ ...deps, read: createTopicReader({ ...deps, responders }), toProblem });
  deps.changes.onNote(hub.noteChange);
  const feeds = createViewedFeeds({ ...deps, responders, hub, toProblem, findOwn: createFindOwn(deps.missing) });
  const route = createLiveRoute({ ...deps, feeds, cursors: hub.cursors });
  return {
    hub,
    feeds,
    route,
    state: () => ({ streams: route.streams(), topics: hub.plan() }),
    serve: (given) => {
      Object.assign(responders, given);
    },
    watch: ({ name, pairs }, watcher) => hub.watch(toTopicRequest(name, pairs), watcher),
  };
}

/** The responders of the topics that Perpdesk composes itself. */
type TopicResponders = Responders & { readonly alerts: Responders['status'] };

interface TopicReaderDeps {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly responders: TopicResponders;
}

/** Reads a topic the same way as a page would. */
function createTopicReader(deps: TopicReaderDeps): HubDeps['read'] {
  return async ({ topic: { endpoint }, pairs }, { isFirst, isFollowed, payers, signal }) => {
    const purpose = toPurpose(isFirst, isFollowed);
    if (!isOfDesk(endpoint))
      return readFromVenue(deps, endpoint, pairs, { purpose: purpose ?? ENDPOINTS[endpoint].purpose, payers, signal });
    const {
      text,
      step,
      provenance,
      reads = 0,
      sent = 0,
    } = await deps.responders[toDeskName(endpoint)]({ query: pairs, purpose, payers, signal, viewer: LOCAL_VIEWER });
    return { text, step, provenance, cost: reads, sent };
  };
}

/**
 * Returns undefined for the endpoint’s own purpose. Followed topics do not use the reserve, however many there are; no
 * one waits for topics without followers.
 */
function toPurpose(isFirst: boolean, isFollowed: boolean): Purpose | undefined {
  if (!isFollowed) return 'prefetch';
  return isFirst ? 'working' : undefined;
}

async function readFromVenue(
  { profile, reader }: TopicReaderDeps,
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
