import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { TopicName } from '#contract/desk/topics.ts';
import type { Payer } from './ports.ts';
import type { ListStep } from './row-list.ts';

/** A topic with its parameters. */
export interface NamedTopic {
  readonly name: TopicName;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** What a reading of a topic gave, and how often it is read at present. */
export type WatchedReading = { readonly everySeconds: number } & (
  | { readonly text: string; readonly step?: ListStep | undefined; readonly answeredAt: number; readonly problem: null }
  | { readonly problem: ProblemDocument }
);

/** Something of the desk's own that needs a topic. */
export interface Watcher {
  readonly everySeconds: number;
  /** For whom. */
  readonly payer: Payer;
  readonly onReading: (reading: WatchedReading) => void;
}

/** Has a topic read at least so often, also while no stream follows it. What was read last is given at once. Returns a function that ends it. */
export type WatchTopic = (topic: NamedTopic, watcher: Watcher) => () => void;
