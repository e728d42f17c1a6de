import {
  DEAD_AFTER_MS,
  type FollowedTopic,
  type FromReader,
  type StreamState,
  type TopicMessage,
  type ToReader,
} from './live.ts';
import { createParser } from 'eventsource-parser';
import { LIVE_EVENTS, LIVE_PATH, type TopicEventName } from '#contract/desk/live.ts';
import { createTopicCopy, type TopicCopy, type TopicUpdate } from './topic-copy.ts';

export type StreamReaderDeps = Pick<ConnectionDeps, 'fetch' | 'now' | 'random' | 'schedule'>;

/** Reads a stream, for all pages of a browser or for one. */
export interface StreamReader {
  /** Called once per page. If the stream was rejected, it is requested again. */
  readonly connect: (send: (message: FromReader) => void) => (message: ToReader) => void;
}

interface Page {
  readonly send: (message: FromReader) => void;
  topics: ReadonlyMap<string, FollowedTopic>;
  seenAt: number;
}

interface Followed {
  readonly book: TopicCopy;
  /** When its last reading arrived. */
  receivedAt: number;
  /** The failure that explains why there is no newer reading. */
  failed: TopicMessage | null;
  /** How often changes went missing in short succession. */
  losses: number;
  /** When it is followed again. */
  followAt: number;
}

/** Topics that several panels follow at about the same time go into one request. */
const SETTLE_MS = 50;
/** The user may return to a screen within a moment. */
const LEAVE_MS = 3_000;
/**
 * How long to pause a topic after changes went missing: a proxy that drops data must not make the server send whole
 * topics repeatedly.
 */
const PAUSES_MS = [0, 10_000, 60_000, 600_000] as const;
/** A topic that was complete for this long is assumed to have failed for a new reason. */
const TOPIC_STEADY_MS = 60_000;

export function createStreamReader({ now, ...parts }: StreamReaderDeps): StreamReader {
  const pages = createPages(now);
  const followed = new Map<string, Followed>();
  const { sendUpdate, sendIfOpen } = createSending(followed, now, () => connection.state() === 'open');

  const connection = createConnection({
    ...parts,
    now,
    toTarget: () => toTarget(followed, pages.wanted(), now()),
    onState: (state) => {
      // The next viewer may be another person.
      if (state === 'refused') dropReadings(followed, pages.wanted());
      for (const { send } of pages.all()) send({ kind: 'stream', state });
    },
    onEvent: (name, data) => {
      if (name === 'renew') connection.renew();
      else if (name === 'move') connection.renewIn(toDelay(data));
      else if (Object.hasOwn(LIVE_EVENTS, name)) receive(name as TopicEventName, data);
    },
  });

  const receive = (name: TopicEventName, data: string): void => {
    const address = addressOf(data);
    const topic = followed.get(address);
    const update = topic?.book.apply(name, data) ?? null;
    if (topic === undefined || update === null) return;
    noteUpdate(topic, address, update, now());
    if (update.kind === 'lost') renewAfter(topic.followAt - now(), () => followed.get(address) === topic);
    for (const page of pages.following(address)) sendUpdate(page, address, topic, update);
  };

  const follow = (page: Page, topics: readonly FollowedTopic[]): void => {
    const added = topics.filter(({ address }) => !page.topics.has(address));
    page.topics = new Map(topics.map((topic) => [topic.address, topic]));
    for (const { address } of added) sendIfOpen(page, address);
    const all = pages.wanted();
    if ([...all.keys()].some((address) => !followed.has(address))) connection.renewIn(SETTLE_MS);
    else if (all.size < followed.size) connection.renewIn(LEAVE_MS);
  };

  /** Pages keep their data, which may age, until a new stream sends the whole topic. */
  const renewAfter = (pause: number, isWanted: () => boolean): void => {
    connection.renew();
    if (pause > 0)
      parts.schedule(pause, () => {
        if (isWanted()) connection.renew();
      });
  };
  const changeViewer = trackViewer(() => {
    dropReadings(followed, pages.wanted());
  }, connection);

  return {
    connect: (send) => {
      const page: Page = { send, topics: new Map(), seenAt: now() };
      send({ kind: 'stream', state: connection.state() });
      if (connection.state() === 'refused') connection.renewIn(SETTLE_MS);
      return (message) => {
        pages.add(page);
        if (message.kind === 'viewer') changeViewer(message.viewer);
        else if (message.kind === 'whole') sendIfOpen(page, message.address);
        else follow(page, message.kind === 'follow' ? message.topics : []);
        if (message.kind === 'leave') pages.forget(page);
      };
    },
  };
}

/** Sends pages what they need to know about a topic. */
function createSending(followed: ReadonlyMap<string, Followed>, now: () => number, isOpen: () => boolean) {
  const sendIfLost = ({ send }: Page, address: string): void => {
    if ((followed.get(address)?.followAt ?? 0) > now()) send({ kind: 'lost', address });
  };
  return {
    sendUpdate: (page: Page, address: string, topic: Followed, update: TopicUpdate): void => {
      if (update.kind === 'lost') sendIfLost(page, address);
      else if (update.kind === 'whole') sendWhole(page, address, topic);
      else page.send(topic.failed ?? { address, receivedAt: topic.receivedAt, ...update });
    },
    /** Sends the whole topic only while the stream is open: otherwise the page polls and may hold newer data. */
    sendIfOpen: (page: Page, address: string): void => {
      sendIfLost(page, address);
      if (isOpen()) sendWhole(page, address, followed.get(address));
    },
  };
}

/** Returns the address of a stream of these topics. It requests in full the topics about which nothing is known. */
function toTarget(
  followed: Map<string, Followed>,
  topics: ReadonlyMap<string, FollowedTopic>,
  now: number,
): string | null {
  for (const address of followed.keys()) if (!topics.has(address)) followed.delete(address);
  for (const topic of topics.values()) if (!followed.has(topic.address)) followed.set(topic.address, toUnread(topic));
  const asked = [...followed].filter(([, { followAt }]) => followAt <= now);
  const fresh = asked.filter(([, { book }]) => book.whole() === null);
  return asked.length === 0 ? null : toLivePath(asked.map(toAddress).sort(), fresh.map(toAddress));
}

function toAddress([address]: readonly [string, Followed]): string {
  return address;
}

function toUnread(topic: FollowedTopic): Followed {
  return { book: createTopicCopy(topic, topic.rowsField), receivedAt: 0, failed: null, losses: 0, followAt: 0 };
}

function noteLoss(topic: Followed, now: number): void {
  topic.losses = now - topic.followAt > TOPIC_STEADY_MS ? 1 : topic.losses + 1;
  topic.followAt = now + (PAUSES_MS[Math.min(topic.losses, PAUSES_MS.length) - 1] ?? 0);
  topic.failed = null;
}

/** Topics stay followed: a rejected stream is requested again only for topics that it did not have. */
function dropReadings(followed: Map<string, Followed>, topics: ReadonlyMap<string, FollowedTopic>): void {
  followed.clear();
  for (const topic of topics.values()) followed.set(topic.address, toUnread(topic));
}

/** A different viewer gets a new stream, and so does one whose stream was rejected. */
function trackViewer(onOther: () => void, connection: Connection): (viewer: string) => void {
  let known: string | null = null;
  return (viewer) => {
    const isOther = known !== null && known !== viewer;
    known = viewer;
    if (isOther) onOther();
    if (isOther || connection.state() === 'refused') connection.renew();
  };
}

function createPages(now: () => number) {
  const pages = new Set<Page>();
  /** If the page returns, it is sent everything again. */
  const forget = (page: Page): void => {
    pages.delete(page);
    page.topics = new Map();
  };
  return {
    all: (): Iterable<Page> => pages,
    following: (address: string): readonly Page[] => [...pages].filter(({ topics }) => topics.has(address)),
    /** Every message is a sign of life. */
    add: (page: Page): void => {
      page.seenAt = now();
      pages.add(page);
    },
    forget,
    /** Returns the topics of all pages that have shown signs of life. */
    wanted: (): ReadonlyMap<string, FollowedTopic> => {
      for (const page of pages) if (now() - page.seenAt > DEAD_AFTER_MS) forget(page);
      return new Map([...pages].flatMap(({ topics }) => [...topics]));
    },
  };
}

function noteUpdate(topic: Followed, address: string, update: TopicUpdate, at: number): void {
  if (update.kind === 'lost') {
    noteLoss(topic, at);
    return;
  }
  const hasFailed = update.kind === 'failed';
  topic.failed = hasFailed ? { ...update, address, receivedAt: at } : null;
  if (!hasFailed) topic.receivedAt = at;
}

function sendWhole({ send }: Page, address: string, topic: Followed | undefined): void {
  const whole = topic?.book.whole() ?? null;
  if (topic === undefined || whole === null) return;
  send({ kind: 'whole', address, receivedAt: topic.receivedAt, ...whole });
  if (topic.failed !== null) send(topic.failed);
}

function toLivePath(addresses: readonly string[], fresh: readonly string[]): string {
  const parameters = [
    ...addresses.map((address) => ['topic', address] as const),
    ...fresh.map((address) => ['fresh', address] as const),
  ];
  return `${LIVE_PATH}?${parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Returns the milliseconds after which a stream is to be opened at another desk. */
function toDelay(data: string): number {
  return (JSON.parse(data) as { readonly after_ms: number }).after_ms;
}

/** Every event about a topic begins with its address. */
function addressOf(data: string): string {
  return JSON.parse(/^\{"topic":("(?:[^"\\]|\\.)*")/.exec(data)?.[1] ?? '""') as string;
}

interface ConnectionDeps extends Pick<EventStreamDeps, 'fetch' | 'onEvent'> {
  /** The address to open next; null if there is nothing to follow. */
  readonly toTarget: () => string | null;
  readonly onState: (state: StreamState) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  /** Calls back after this many milliseconds; returns a function that cancels it. */
  readonly schedule: (ms: number, call: () => void) => () => void;
}

/**
 * A stream that is reopened whenever it ends, and resumes where it left off.
 *
 * @internal Exported for its test.
 */
export interface Connection {
  /** Opens a new stream in place of the current one, whose later events are ignored. */
  readonly renew: () => void;
  /** Does the same after this many milliseconds, unless it is due sooner. */
  readonly renewIn: (ms: number) => void;
  readonly state: () => StreamState;
}

const RETRY_MS = { least: 1_000, most: 30_000 };
/** Heartbeats arrive every 10 seconds. */
const SILENCE_MS = 25_000;
/** A stream that ends sooner than this counts as another failure with the same cause. */
const STREAM_STEADY_MS = 60_000;

/** @internal Exported for its test. */
export function createConnection(deps: ConnectionDeps): Connection {
  let state: StreamState = 'closed';
  let current: AbortController | null = null;
  let lastId: string | null = null;
  let failures = 0;
  let cancelNext = (): void => undefined;
  let nextAt = Infinity;

  const setState = (next: StreamState): void => {
    if (next === state) return;
    state = next;
    deps.onState(state);
  };

  const renewIn = (ms: number): void => {
    if (nextAt <= deps.now() + ms) return;
    cancelNext();
    nextAt = deps.now() + ms;
    cancelNext = deps.schedule(ms, () => void open());
  };

  const open = async (): Promise<void> => {
    nextAt = Infinity;
    current?.abort();
    const target = deps.toTarget();
    const own = (current = target === null ? null : new AbortController());
    if (target === null || own === null) {
      setState('closed');
      return;
    }
    if (state !== 'open') setState('connecting');
    const startedAt = deps.now();
    const end = await readEventStream(target, lastId, own.signal, listen(own));
    // A rejected response may still be sending its body.
    own.abort();
    if (own !== current) return;
    if (deps.now() - startedAt > STREAM_STEADY_MS) failures = 0;
    afterEnd(end);
  };

  /** Ignores events of an aborted stream, even those already received. */
  const listen = (own: AbortController): EventStreamDeps => {
    const unlessAborted = (call: () => void): void => {
      if (!own.signal.aborted) call();
    };
    return {
      fetch: deps.fetch,
      onBytes: abortInSilence(own, deps),
      onOpen: () => {
        unlessAborted(() => {
          setState('open');
        });
      },
      onEvent: (name, data) => {
        unlessAborted(() => {
          deps.onEvent(name, data);
        });
      },
      onCursor: (id) => {
        unlessAborted(() => {
          lastId = id;
        });
      },
    };
  };

  const afterEnd = (end: StreamEnd): void => {
    current = null;
    setState(end === 'refused' ? 'refused' : 'connecting');
    if (end === 'refused') return;
    renewIn(retryDelay(failures, deps.random()));
    failures += 1;
  };

  return {
    renew: () => {
      cancelNext();
      void open();
    },
    renewIn,
    state: () => state,
  };
}

/** Aborts a stream that falls silent. Returns a function to call whenever anything arrives. */
function abortInSilence(
  stream: AbortController,
  { now, schedule }: Pick<ConnectionDeps, 'now' | 'schedule'>,
): () => void {
  const abort = (): void => {
    stream.abort();
  };
  let heardAt = now();
  let cancel = schedule(SILENCE_MS, abort);
  stream.signal.addEventListener('abort', () => {
    cancel();
  });
  return () => {
    // After the machine has slept, earlier data are older by the length of the sleep, but nothing in them says so.
    if (now() - heardAt > SILENCE_MS) abort();
    if (stream.signal.aborted) return;
    cancel();
    cancel = schedule(SILENCE_MS, abort);
    heardAt = now();
  };
}

/**
 * The delay doubles with each failure, and varies so that browsers that lost their stream together do not all return at
 * once.
 */
function retryDelay(failures: number, random: number): number {
  return Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures) * (0.5 + random / 2);
}

/** How a stream ended. `refused`: it was never a stream. */
type StreamEnd = 'ended' | 'broken' | 'refused';

interface EventStreamDeps {
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  readonly onOpen: () => void;
  readonly onEvent: (name: string, data: string) => void;
  /** Called with each id from which the stream can be resumed. */
  readonly onCursor: (id: string) => void;
  /** Called whenever anything arrives, including heartbeats. It may abort the stream. */
  readonly onBytes: () => void;
}

/**
 * Reads one stream to its end. `EventSource` cannot do this: it does not say why a stream was rejected, follows a
 * redirect to a sign-in page forever, and cannot resume from a given id.
 */
async function readEventStream(
  target: string,
  lastId: string | null,
  signal: AbortSignal,
  deps: EventStreamDeps,
): Promise<StreamEnd> {
  const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) };
  try {
    const response = await deps.fetch(target, { headers, signal, redirect: 'manual', cache: 'no-store' });
    const type = response.headers.get('content-type') ?? '';
    if (response.status >= LEAST_PASSING || response.status === TOO_SOON) return 'broken';
    if (!response.ok || response.body === null || !type.startsWith('text/event-stream')) return 'refused';
    deps.onOpen();
    await readAll(response.body, signal, deps);
    return 'ended';
  } catch {
    return 'broken';
  }
}

/** The server has too many streams, or a proxy cannot reach it. */
const LEAST_PASSING = 500;
/** This person or network has sent too many requests. */
const TOO_SOON = 429;

async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
  { onEvent, onCursor, onBytes }: EventStreamDeps,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ event = '', data }) => {
      onEvent(event, data);
    },
    onId: onCursor,
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    onBytes();
    signal.throwIfAborted();
    parser.feed(chunk.value);
  }
}
