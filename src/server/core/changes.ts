import type { TopicName } from '#contract/desk/topics.ts';

/** How one room learns that another has changed what a topic is read from, without knowing it. */
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
