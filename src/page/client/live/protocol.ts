import type { Topic } from '#contract/desk/topics.ts';
import type { TopicUpdate, TopicReading } from './topic-book.ts';

/** What pages and the reader of the stream say to each other. Topics are named by address, `name?query`. */

/** A topic, with what its rows are told apart by. */
export interface FollowedTopic extends Pick<Topic, 'key' | 'account'> {
  readonly address: string;
  /** The field of the response that holds the rows; null: the response is the list of them, or has none. */
  readonly rowsField: string | null;
}

export type ToReader =
  /** All topics that the page shows now; none while it is hidden. Repeated from time to time, as a sign of life. */
  | { readonly kind: 'follow'; readonly topics: readonly FollowedTopic[] }
  /** The page has lost its place in a topic. */
  | { readonly kind: 'whole'; readonly address: string }
  /** Who looks at the page, and may see what: another one may not be sent what was read for the one before. */
  | { readonly kind: 'viewer'; readonly viewer: string }
  | { readonly kind: 'leave' };

export type FromReader =
  | { readonly kind: 'stream'; readonly state: StreamState }
  /** The reader keeps losing its place in a topic, and for some time does not follow it: pages poll. */
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

/** `refused`: the desk, or something on the way to it, does not serve the stream; pages poll. */
export type StreamState = 'closed' | 'connecting' | 'open' | 'refused';

/** How often a page repeats what it follows. Browsers slow the timers of hidden pages down to one a minute. */
export const SIGN_OF_LIFE_MS = 30_000;
export const DEAD_AFTER_MS = 150_000;
