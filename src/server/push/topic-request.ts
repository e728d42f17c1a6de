import { type AliasKind, OWNER_FILTERS } from '#contract/desk/aliases.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import {
  LIVE_PARAMETERS,
  parametersOf,
  requiredOf,
  topicNameOf,
  TOPICS,
  type Topic,
  type TopicName,
} from '#contract/desk/topics.ts';
import { isProblem, parseQuery } from '#server/core/venue-request.ts';
import type { Problem } from '#server/core/venue-failure.ts';

/** One topic with its validated parameters. */
export interface TopicRequest {
  readonly name: TopicName;
  readonly topic: Topic;
  readonly pairs: readonly (readonly [name: string, value: string])[];
  /** `name?query`, with the parameters in the order of the table. Equal requests have equal addresses. */
  readonly address: string;
}

export interface Follow extends TopicRequest {
  /** The client has nothing of it, so `Last-Event-ID` does not apply. */
  readonly isFresh: boolean;
}

/** Limited, because a stream costs a snapshot of each topic. */
const MAX_TOPICS = 64;

/** Parses the topics that a stream follows, without duplicates. */
export function parseFollows(rawQuery: string): readonly Follow[] | Problem {
  const pairs = parseQuery(LIVE_PATH, LIVE_PARAMETERS, rawQuery);
  if (isProblem(pairs)) return pairs;
  const follows = new Map<string, Follow>();
  for (const [parameter, value] of pairs) {
    const request = parseTopic(parameter, value);
    if ('type' in request) return request;
    const isFresh = parameter === 'fresh' || follows.get(request.address)?.isFresh === true;
    follows.set(request.address, { ...request, isFresh });
  }
  if (follows.size === 0) return bad('topic', 'A topic to follow must be given.');
  if (follows.size > MAX_TOPICS) return bad('topic', `A stream follows at most ${String(MAX_TOPICS)} topics.`);
  return [...follows.values()];
}

function parseTopic(parameter: string, value: string): TopicRequest | Problem {
  const name = topicNameOf(value) as TopicName;
  const topic: Topic = TOPICS[name];
  const known = parametersOf(topic);
  const pairs = parseQuery(`topic ${name}`, known, value.slice(name.length + 1));
  if (isProblem(pairs)) return { ...pairs, parameter };
  const missing = requiredOf(topic).find((each) => !pairs.some(([given]) => given === each));
  if (missing !== undefined) return bad(parameter, `The topic ${name} needs ${missing}.`);
  const order = Object.keys(known);
  const sorted = pairs.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return { name, topic, pairs: sorted, address: toAddress(name, sorted) };
}

/** Parses the address of a request of another desk; null if its version has a topic or parameter that this one lacks. */
export function parseAddress(address: string): TopicRequest | null {
  if (!Object.hasOwn(TOPICS, topicNameOf(address))) return null;
  const request = parseTopic('topic', address);
  return 'type' in request ? null : request;
}

/** Creates the request of a topic whose parameters need no check; without any, it is the whole topic. */
export function toTopicRequest(name: TopicName, pairs: TopicRequest['pairs'] = []): TopicRequest {
  return { name, topic: TOPICS[name], pairs, address: toAddress(name, pairs) };
}

function toAddress(name: TopicName, pairs: TopicRequest['pairs']): string {
  const query = pairs.map(([parameter, value]) => `${parameter}=${encodeURIComponent(value)}`).join('&');
  return query === '' ? name : `${name}?${query}`;
}

/** Returns an address that names no owner, yet distinguishes topics. */
export function toPublicAddress(
  { name, pairs }: TopicRequest,
  { aliasOf }: { readonly aliasOf: (kind: AliasKind, code: string) => string },
): string {
  const publicPairs = pairs.map(([parameter, value]) => {
    const kind = OWNER_FILTERS[parameter];
    return [parameter, kind === undefined ? value : aliasOf(kind, value)] as const;
  });
  return toAddress(name, publicPairs);
}

export function hasParameters({ pairs }: TopicRequest): boolean {
  return pairs.length > 0;
}

function bad(parameter: string, detail: string): Problem {
  return { type: 'bad-parameter', detail, parameter };
}
