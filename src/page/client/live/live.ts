import type { Query } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import type { RawResponse } from '../http-client.ts';
import type { Topic } from '#contract/desk/topics.ts';
import type { TopicReading, TopicUpdate } from './topic-copy.ts';

/** The messages between pages and the reader of the stream. Topics are named by address, `name?query`. */

/** A topic, with the field that identifies its rows. */
export interface FollowedTopic extends Pick<Topic, 'key' | 'account'> {
  readonly address: string;
  /** The field of the response that holds the rows; null if the response itself is the list, or has none. */
  readonly rowsField: string | null;
}

export type ToReader =
  /** All topics that the page shows now; none while it is hidden. Repeated regularly as a sign of life. */
  | { readonly kind: 'follow'; readonly topics: readonly FollowedTopic[] }
  /** The page has missed changes of a topic and needs all of it again. */
  | { readonly kind: 'whole'; readonly address: string }
  /** Identifies the viewer's access: data read for one viewer must not be sent to another. */
  | { readonly kind: 'viewer'; readonly viewer: string }
  | { readonly kind: 'leave' };

export type FromReader =
  | { readonly kind: 'stream'; readonly state: StreamState }
  /** The reader keeps missing changes of a topic and has paused it, so pages poll meanwhile. */
  | { readonly kind: 'lost'; readonly address: string }
  | TopicMessage;

export type TopicMessage = { readonly address: string; readonly receivedAt: number } & (
  | Exclude<TopicUpdate, { kind: 'whole' | 'lost' }>
  | WholeTopic
);

interface WholeTopic {
  readonly kind: 'whole';
  readonly text: string;
  readonly reading: TopicReading;
}

/** `refused`: the server, or a proxy in front of it, does not serve the stream, so pages poll. */
export type StreamState = 'closed' | 'connecting' | 'open' | 'refused';

/** How often a page repeats its topics. Browsers slow the timers of hidden pages to one per minute. */
export const SIGN_OF_LIFE_MS = 30_000;
export const DEAD_AFTER_MS = 150_000;

/** How a query receives the responses that its topic pushes. */
export interface LiveMeta {
  readonly topic: FollowedTopic;
  readonly read: (received: RawResponse, previous?: ApiResponse<unknown>) => ApiResponse<unknown>;
}

export type LiveQuery = Query<ApiResponse<unknown>>;

export interface FollowedQuery {
  readonly query: LiveQuery;
  readonly live: LiveMeta;
}

/** Topics that are pushed to this page, and therefore not polled. */
export interface Pushed {
  /**
   * When a topic was last pushed, in epoch milliseconds; 0: not pushed now; `LOST`: paused, because changes went
   * missing.
   */
  readonly pushedAt: (address: string) => number;
}

export const LOST = -1;

/** `lossy`: at least one topic is paused because changes went missing. */
export type LiveState = StreamState | 'lossy';

/** Which topics are pushed to this page, and whether the stream is open. */
export interface Live extends Pushed {
  readonly state: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setState: (state: StreamState) => void;
  readonly setPushedAt: (address: string, at: number) => void;
}

export function createLive(): Live {
  const listeners = new Set<() => void>();
  const pushed = new Map<string, number>();
  let state: StreamState = 'closed';
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    pushedAt: (address) => pushed.get(address) ?? 0,
    state: () => ([...pushed.values()].includes(LOST) ? 'lossy' : state),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setState: (next) => {
      state = next;
      if (state !== 'open') pushed.clear();
      notify();
    },
    setPushedAt: (address, at) => {
      pushed.set(address, at);
      notify();
    },
  };
}
