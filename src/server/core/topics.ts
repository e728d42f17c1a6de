import type { TopicName } from '#contract/desk/topics.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { Payer } from './ports.ts';
import type { ListStep } from './row-list.ts';

/** Announces which topics have new data, so that server modules need not know each other. */
export interface Changes {
  readonly note: (topic: TopicName) => void;
  readonly onNote: (listener: (topic: TopicName) => void) => void;
}

export function createChanges(): Changes {
  const listeners: ((topic: TopicName) => void)[] = [];
  return {
    note: (topic) => {
      for (const listener of listeners) listener(topic);
    },
    onNote: (listener) => {
      listeners.push(listener);
    },
  };
}

/** A topic with its parameters. */
export interface NamedTopic {
  readonly name: TopicName;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** The result of reading a topic, and its current interval. */
export type WatchedReading = { readonly everySeconds: number } & (
  | {
      readonly text: string;
      readonly step?: ListStep | undefined;
      readonly respondedAt: number;
      readonly problem: null;
    }
  | { readonly problem: ProblemDocument }
);

/** The server's own need for a topic. */
export interface Watcher {
  readonly everySeconds: number;
  /** Who pays for the readings. */
  readonly payer: Payer;
  readonly onReading: (reading: WatchedReading) => void;
}

/**
 * Has a topic read at least this often, even if no stream follows it. The last reading is passed on at once. Returns a
 * function that ends it.
 */
export type FollowTopic = (topic: NamedTopic, watcher: Watcher) => () => void;
