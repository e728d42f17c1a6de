import { parametersOf, rowsFieldOf, TOPIC_NAMES, TOPICS, type Topic } from '#contract/desk/topics.ts';
import type { RequestParameters } from '../request-target.ts';
import type { FollowedTopic } from './protocol.ts';

/** The topic that pushes the response to a request. */
export interface TopicOfRequest extends FollowedTopic {
  readonly everySeconds: number;
}

const NAMES = new Map(TOPIC_NAMES.map((name) => [TOPICS[name].endpoint as string, name]));

/**
 * Null where no topic does. `endpoint` is the name in the endpoint table, or `desk/…`. The address is as the gateway
 * writes it: `name?query`, with the parameters in the order of the table.
 */
export function toTopic(endpoint: string, request: RequestParameters): TopicOfRequest | null {
  const name = NAMES.get(endpoint);
  if (name === undefined) return null;
  const topic: Topic = TOPICS[name];
  const values: Readonly<Record<string, unknown>> = request;
  const given = Object.keys(parametersOf(topic)).filter((parameter) => values[parameter] !== undefined);
  const query = given.map((parameter) => `${parameter}=${encodeURIComponent(String(values[parameter]))}`).join('&');
  const { key, account, everySeconds } = topic;
  return {
    address: query === '' ? name : `${name}?${query}`,
    key,
    account,
    everySeconds,
    rowsField: key === null ? null : rowsFieldOf(topic),
  };
}
