import { needOf, READ_NEEDS } from '#contract/desk/needs.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Need } from '#contract/desk/roles.ts';
import { isOfDesk, toDeskName, type Topic } from '#contract/desk/topics.ts';
import type { FindOwn } from '#server/readings/working-orders/own-working-set.ts';
import type { WorkingText } from '#server/readings/working-orders/part-of-working-set.ts';
import type { Payers } from '#server/core/ports.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import type { LastReading } from './feed.ts';
import type { TopicReaderParts } from './topic-reader.ts';
import { toTopicRequest, type TopicRequest } from './topic-request.ts';

/** What one needs to follow a topic: as much as to read it. */
export function needOfTopic({ endpoint }: Topic): Need {
  return isOfDesk(endpoint) ? READ_NEEDS[toDeskName(endpoint)] : needOf(ENDPOINTS[endpoint]);
}

/** What a viewer who may not see all of a topic is sent of it. */
export interface PartOfTopic {
  /** The topic that is read for all. */
  readonly source: TopicRequest;
  /** Made anew whenever that was read. */
  readonly compose: (data: NonNullable<LastReading['data']>, payers: Payers) => WorkingText | Promise<WorkingText>;
}

export interface PartParts {
  readonly responders: Pick<TopicReaderParts['responders'], 'status' | 'alerts' | 'working'>;
  readonly findOwn: FindOwn;
}

/** Null: the viewer may see all of it, or it is the same for everybody. */
export function findPart(
  request: TopicRequest,
  viewer: Viewer,
  { responders, findOwn }: PartParts,
): PartOfTopic | null {
  const { name, pairs } = request;
  // Not that of the viewer: others who may see the same follow it as well.
  const { signal } = new AbortController();
  const respond = async (respondTo: typeof responders.status, payers: Payers): Promise<WorkingText> =>
    respondTo({ query: pairs, purpose: undefined, payers, signal, viewer });
  if (name === 'status')
    return viewer.roles.has('admin')
      ? null
      : { source: request, compose: (_, payers) => respond(responders.status, payers) };
  const { scope, entitlement } = viewer;
  if (needOfTopic(request.topic) === 'markets' || scope === 'all') return null;
  if (name === 'alerts') return { source: request, compose: (_, payers) => respond(responders.alerts, payers) };
  if (name !== 'working-orders') throw new Error(`nothing says what of the topic ${name} a viewer may see`);
  // Filtered here: whether others follow the orders of an account must not show in what is sent of it, or when.
  return {
    source: toTopicRequest(name),
    compose: (whole, payers) =>
      findOwn(whole, { scope, entitlement }, pairs, async (filter) =>
        responders.working({ query: filter, purpose: undefined, payers, signal, viewer: LOCAL_VIEWER }),
      ),
  };
}
