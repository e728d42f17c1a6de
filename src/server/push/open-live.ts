import type { ProblemDocument } from '#contract/desk/problems.ts';
import { DESK_FAULT, toProblemDocument } from '#server/web/problem-document.ts';
import type { DropCheck } from '#server/readings/working-orders/drop-check.ts';
import { createFindOwn } from '#server/readings/working-orders/part-of-working-set.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import type { GatewayPorts } from '#server/core/ports.ts';
import { toTopicRequest } from './topic-request.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { WatchTopic } from '#server/core/watch-topic.ts';
import { createHub, type Hub, type HubParts } from './hub.ts';
import { createLiveRoute, type LiveRoute, type LiveRouteParts } from './live-route.ts';
import { createViewedFeeds, type ViewedFeeds } from './viewed-feeds.ts';
import type { Changes } from '#server/core/changes.ts';
import { createTopicReader, type TopicReaderParts, type TopicResponders } from './topic-reader.ts';

export interface Live {
  readonly hub: Hub;
  readonly feeds: Pick<ViewedFeeds, 'close'>;
  readonly route: LiveRoute;
  readonly state: () => LiveState;
  readonly watch: WatchTopic;
  /** Takes what composes topics, before the first is followed. */
  readonly serve: (responders: TopicResponders) => void;
}

interface LiveParts
  extends
    Omit<TopicReaderParts, 'responders'>,
    Pick<HubParts, 'rateLimiter' | 'venueNow' | 'aliasOf'>,
    Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule' | 'log'>,
    Pick<LiveRouteParts, 'isCompressed' | 'onStream'> {
  readonly nextRequestId: () => string;
  readonly missing: DropCheck['missing'];
  readonly changes: Pick<Changes, 'onNote'>;
}

/** Wires the room together. */
export function openLive(parts: LiveParts): Live {
  const toProblem = (error: unknown): ProblemDocument => {
    const id = parts.nextRequestId();
    if (error instanceof VenueFailure) return toProblemDocument(error.problem, id);
    parts.log('error', 'live reading failed', {
      requestId: id,
      reason: error instanceof Error ? error.stack : String(error),
    });
    return toProblemDocument(DESK_FAULT, id);
  };
  // Status describes the streams, and streams carry the status: so what composes topics comes last.
  const responders = {} as TopicResponders;
  const hub = createHub({ ...parts, read: createTopicReader({ ...parts, responders }), toProblem });
  parts.changes.onNote(hub.noteChange);
  const feeds = createViewedFeeds({ ...parts, responders, hub, toProblem, findOwn: createFindOwn(parts.missing) });
  const route = createLiveRoute({ ...parts, feeds, cursors: hub.cursors });
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
