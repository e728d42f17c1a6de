import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Static, TSchema } from '#contract/exchange/schema.ts';
import type { Missing } from '#model/rules/readings.ts';
import type { Source, Sourced } from '#model/source.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { Payer } from '#server/core/ports.ts';
import type { ListStep } from '#server/core/row-list.ts';
import type { WatchedReading, WatchTopic } from '#server/core/watch-topic.ts';
import type { NeededTopic, SharedTopic } from './rule-topics.ts';

/** The newest reading of a topic. */
export interface Read {
  readonly text: string;
  /** How its rows differ from those of an earlier reading, where that is known. */
  readonly step?: ListStep | undefined;
  readonly answeredAt: number;
}

interface TopicState {
  readonly watches: Map<Payer, { readonly seconds: number; readonly stop: () => void }>;
  everySeconds: number;
  read: Read | null;
  problem: string | null;
}

/** The newest readings of the topics that rules need. */
export interface TopicReadings {
  /** Has these read, and no others any more. */
  readonly need: (topics: ReadonlyMap<string, SharedTopic>) => void;
  /** Whether it has been tried to read it. */
  readonly isTried: (topic: NeededTopic) => boolean;
  /** The text of the newest response, or why there is none that is new enough. */
  readonly find: (topic: NeededTopic, now: number) => Read | Missing;
  readonly ageOf: (topic: NeededTopic, now: number) => number | Missing;
}

/** So many times as long as between two readings: data older than that say nothing about now. */
const TOO_OLD_FACTOR = 3;

export function tooOldAfterMs(everySeconds: number): number {
  return TOO_OLD_FACTOR * everySeconds * 1_000;
}

export function createTopicReadings(watch: WatchTopic, onReading: () => void): TopicReadings {
  const topics = new Map<string, TopicState>();
  /** Has it watched for these, and for nobody else any more. */
  const watchFor = (state: TopicState, topic: SharedTopic | null): void => {
    const payers = topic?.payers ?? new Map<Payer, number>();
    for (const [payer, { seconds, stop }] of state.watches) {
      if (payers.get(payer) === seconds) continue;
      stop();
      state.watches.delete(payer);
    }
    for (const [payer, seconds] of payers) {
      if (topic === null || state.watches.has(payer)) continue;
      // What was read last is given before it returns.
      const stop = watch(topic, {
        everySeconds: seconds,
        payer,
        onReading: (reading) => {
          note(state, reading);
          onReading();
        },
      });
      state.watches.set(payer, { seconds, stop });
    }
  };
  return {
    need: (needed) => {
      for (const [key, state] of topics) {
        if (needed.has(key)) continue;
        watchFor(state, null);
        topics.delete(key);
      }
      for (const [key, topic] of needed) {
        const state = topics.get(key) ?? {
          watches: new Map(),
          everySeconds: Math.min(...topic.payers.values()),
          read: null,
          problem: null,
        };
        topics.set(key, state);
        watchFor(state, topic);
      }
    },
    isTried: ({ key }) => {
      const state = topics.get(key);
      return state !== undefined && (state.read !== null || state.problem !== null);
    },
    find: ({ key }, now) => findNewEnough(topics.get(key), now),
    ageOf: ({ key }, now) => {
      const state = topics.get(key);
      return state?.read ? Math.max(0, (now - state.read.answeredAt) / 1_000) : { missing: state?.problem ?? NOT_READ };
    },
  };
}

const NOT_READ = 'It has not been read yet.';

function note(state: TopicState, reading: WatchedReading): void {
  state.everySeconds = reading.everySeconds;
  if (reading.problem === null) [state.read, state.problem] = [reading, null];
  else state.problem = reading.problem.detail;
}

function findNewEnough(state: TopicState | undefined, now: number): Read | Missing {
  const { read = null, everySeconds = 0, problem = null } = state ?? {};
  if (read === null) return { missing: problem ?? NOT_READ };
  if (now - read.answeredAt <= tooOldAfterMs(everySeconds)) return read;
  return { missing: `The last reading is from ${toInstant(read.answeredAt)}.${problem === null ? '' : ` ${problem}`}` };
}

/** Parses a text once, however often it is needed. */
function once<Value>(parse: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | null = null;
  return (text) => (last?.text === text ? last : (last = { text, value: parse(text) })).value;
}

function lenient<Schema extends TSchema>(schema: Schema, rows?: string): (text: string) => Static<Schema> | null {
  const { tolerant } = createParser(schema, rows);
  return once((text) => tolerant(text).value);
}

const productData = createParser(ENDPOINTS.productDataAll.response);

export function parseProductData(text: string): Static<typeof ENDPOINTS.productDataAll.response> | null {
  return productData.tolerant(text).value;
}

/** What the texts of topics say. Null: they cannot be read. */
export function createTopicParsers() {
  return {
    productData: once(parseProductData),
    products: lenient(DESK_ENDPOINTS.products.response, DESK_ENDPOINTS.products.rows),
    dailyValues: lenient(ENDPOINTS.chartVoi.response),
    latestRates: lenient(ENDPOINTS.fundingRates.response),
    predictedRate: lenient(ENDPOINTS.fundingEstimated.response),
    settledRates: lenient(DESK_ENDPOINTS.funding.response, DESK_ENDPOINTS.funding.rows),
  };
}

/** What was read, with its source; undefined where there is none. */
export function toSourced<Value>(
  endpoint: string,
  read: Read | Missing,
  parse: (text: string) => Value | null,
): Sourced<Value> | undefined {
  if ('missing' in read) return undefined;
  const value = parse(read.text);
  return value === null ? undefined : { ...toSource(endpoint, read.answeredAt), value };
}

export function toSource(endpoint: string, answeredAt: number): Source {
  return {
    endpoint,
    target: '',
    answeredAt: toInstant(answeredAt),
    receivedAt: answeredAt,
    ageSeconds: 0,
    cache: 'unknown',
    requestId: null,
  };
}
