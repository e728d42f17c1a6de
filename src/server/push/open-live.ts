import { randomUUID } from 'node:crypto';
import { type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { isOfDesk, toDeskName } from '#contract/desk/topics.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { Responders } from '#server/readings/desk-api.ts';
import {
  type Payer,
  provenanceOf,
  type Purpose,
  type Reader,
  type ServerPorts,
  type VenueRequest,
} from '#server/core/ports.ts';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { createBody } from '#server/core/body.ts';
import type { Row } from '#server/core/rows.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import { DESK_FAULT, toProblemDocument } from '#server/web/error-responses.ts';
import type { DropCheck } from '#server/readings/working-orders/drop-check.ts';
import { createFindOwn } from '#server/readings/working-orders/describe-working-set.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Changes, FollowTopic, NamedTopic } from '#server/core/topics.ts';
import type { LastReading } from './feed.ts';
import { createHub, type HubDeps } from './hub.ts';
import { type TopicRequest, toTopicRequest } from './topic-request.ts';
import { createLiveRoute, type LiveRoute, type LiveRouteDeps } from './live-route.ts';
import { openSharing, type SharingDeps } from './open-sharing.ts';
import { createViewedFeeds } from './viewed-feeds.ts';

export interface Live {
  readonly route: LiveRoute;
  readonly state: (payer: Payer | null) => LiveState;
  readonly watch: FollowTopic;
  /** The orders that may be working although the last reading of the working set, at whatever desk, does not list them. */
  readonly missing: DropCheck['missing'];
  /** The last response of a topic that another desk reads; null if there is none, or it is older than this. */
  readonly readElsewhere: (topic: NamedTopic, maxAgeMs: number) => ReadElsewhere | null;
  /** Takes the responders of the topics. Must be called before the first topic is followed. */
  readonly serve: (responders: TopicResponders) => void;
  readonly close: () => Promise<void>;
}

type ReadElsewhere = Pick<NonNullable<LastReading['data']>, 'text' | 'step' | 'provenance'>;

interface LiveDeps
  extends
    Omit<TopicReaderDeps, 'responders'>,
    Pick<HubDeps, 'rateLimiter' | 'venueNow' | 'aliasOf'>,
    Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'>,
    Pick<LiveRouteDeps, 'isCompressed' | 'onStream'>,
    Omit<SharingDeps, 'names'> {
  /** What all desks on the store have in common, and what they had before. */
  readonly key: string;
  readonly earlierKeys: () => readonly string[];
  readonly nextRequestId: () => string;
  readonly changes: Pick<Changes, 'onNote'>;
  /** Called with the orders that are new in a reading of another desk. */
  readonly onOrders: (orders: readonly Row[]) => void;
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
  const sharing = deps.store.isShared
    ? openSharing({ ...deps, names: createSealedTexts(deps.key, 'live', deps.earlierKeys) })
    : null;
  const missing = sharing?.missing ?? deps.missing;
  const onTaken: HubDeps['onTaken'] = ({ name, topic: { endpoint }, pairs }, { text, step, provenance }) => {
    if (!isOfDesk(endpoint) && provenance?.staleBecause === null)
      deps.reader.offer(toRequest(deps.profile, endpoint, pairs), {
        body: createBody([Buffer.from(text)]),
        contentType: 'application/json',
        respondedAt: provenance.respondedAt,
        tag: `"${randomUUID()}"`,
      });
    if (name === 'working-orders') deps.onOrders(step?.diff.added.map(({ row }) => JSON.parse(row) as Row) ?? []);
  };
  const hub = createHub({ ...deps, sharing, onTaken, read: createTopicReader({ ...deps, responders }), toProblem });
  deps.changes.onNote(hub.noteChange);
  const feeds = createViewedFeeds({ ...deps, responders, hub, toProblem, findOwn: createFindOwn(missing) });
  const route = createLiveRoute({ ...deps, feeds, cursors: hub.cursors, look: sharing?.look });
  return {
    route,
    state: (payer) => ({ streams: route.streams(payer), topics: hub.plan(payer) }),
    serve: (given) => {
      Object.assign(responders, given);
      sharing?.start(hub.shared);
    },
    watch: ({ name, pairs }, watcher) => hub.watch(toTopicRequest(name, pairs), watcher),
    missing,
    readElsewhere: ({ name, pairs }, maxAgeMs) => {
      const data = hub.shared.last(toTopicRequest(name, pairs).address);
      const at = data?.provenance?.respondedAt ?? data?.readAt ?? -Infinity;
      return data !== null && deps.now() - at <= maxAgeMs ? data : null;
    },
    close: async () => {
      route.close();
      feeds.close();
      hub.close();
      await sharing?.close();
    },
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
 * person waits for topics without followers, but rules and the journal need them.
 */
function toPurpose(isFirst: boolean, isFollowed: boolean): Purpose | undefined {
  if (!isFollowed) return 'history';
  return isFirst ? 'working' : undefined;
}

async function readFromVenue(
  { profile, reader }: TopicReaderDeps,
  name: EndpointName,
  pairs: TopicRequest['pairs'],
  options: Parameters<Reader['read']>[1],
) {
  const served = await reader.read(toRequest(profile, name, pairs), options);
  return {
    text: served.response.body.toString(),
    provenance: provenanceOf(served),
    cost: 1,
    sent: served.outcome === 'miss' ? 1 : 0,
  };
}

function toRequest(profile: VenueProfile, name: EndpointName, pairs: TopicRequest['pairs']): VenueRequest {
  const inPath = ENDPOINTS[name].pathParameters;
  const isInPath = ([parameter]: TopicRequest['pairs'][number]): boolean => Object.hasOwn(inPath, parameter);
  return toVenueRequest(
    profile,
    name,
    Object.fromEntries(pairs.filter(isInPath)),
    pairs.filter((pair) => !isInPath(pair)),
  );
}
