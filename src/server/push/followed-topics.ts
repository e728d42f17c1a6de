import type { Payer } from '#server/core/ports.ts';
import { hasParameters } from './hub.ts';
import type { TopicRequest } from './topic-request.ts';

/** Which topics with parameters each person follows, in all of their streams together. */
export interface FollowedTopics {
  readonly mayFollow: (payer: Payer, requests: readonly TopicRequest[]) => boolean;
  /** Returns a function that takes it back. */
  readonly add: (payer: Payer, requests: readonly TopicRequest[]) => () => void;
}

/** A screen follows a few, and a stream no more than that. Each keeps a response in memory, for which there is room in all for eight people who follow so many. */
export const MOST_OF_PERSON = 64;

export function createFollowedTopics(): FollowedTopics {
  /** In how many streams. */
  const byPayer = new Map<Payer, Map<string, number>>();
  const change = (payer: Payer, requests: readonly TopicRequest[], by: number): void => {
    const own = byPayer.get(payer) ?? new Map<string, number>();
    for (const { address } of requests.filter(hasParameters)) {
      const streams = (own.get(address) ?? 0) + by;
      if (streams > 0) own.set(address, streams);
      else own.delete(address);
    }
    if (own.size > 0) byPayer.set(payer, own);
    else byPayer.delete(payer);
  };
  return {
    mayFollow: (payer, requests) => {
      const asked = requests.filter(hasParameters).map(({ address }) => address);
      return asked.length === 0 || new Set([...(byPayer.get(payer)?.keys() ?? []), ...asked]).size <= MOST_OF_PERSON;
    },
    add: (payer, requests) => {
      change(payer, requests, 1);
      return () => {
        change(payer, requests, -1);
      };
    },
  };
}
