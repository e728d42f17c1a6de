import { LIVE_EVENTS, LIVE_PATH, type LiveEventName } from '#contract/desk/live.ts';
import { createConnection, type Connection, type ConnectionParts } from './connection.ts';
import { DEAD_AFTER_MS, type FollowedTopic, type FromReader, type TopicMessage, type ToReader } from './protocol.ts';
import { createTopicBook, type TopicBook, type TopicUpdate } from './topic-book.ts';

export type StreamReaderParts = Pick<ConnectionParts, 'fetch' | 'now' | 'random' | 'schedule'>;

/** The reader of a stream, for all pages of a browser or for one. */
export interface StreamReader {
  /** For each page that is loaded. A stream that was refused is then requested again. */
  readonly connect: (send: (message: FromReader) => void) => (message: ToReader) => void;
}

interface Page {
  readonly send: (message: FromReader) => void;
  topics: ReadonlyMap<string, FollowedTopic>;
  seenAt: number;
}

interface Followed {
  readonly book: TopicBook;
  /** When its last reading arrived. */
  receivedAt: number;
  /** Why there is no newer one. */
  failed: TopicMessage | null;
  /** How often its place was lost, one time soon after the other. */
  losses: number;
  /** From when it is followed again. */
  followAt: number;
}

/** What several panels of a screen follow is requested together. */
const SETTLE_MS = 50;
/** A screen may be back in a moment. */
const LEAVE_MS = 3_000;
/** How long a topic whose place was lost is not followed: a proxy that loses some of each stream must not be sent the whole again and again. */
const PAUSES_MS = [0, 10_000, 60_000, 600_000] as const;
/** A topic that kept its place for so long has lost it for another reason. */
const STEADY_MS = 60_000;

export function createStreamReader({ now, ...parts }: StreamReaderParts): StreamReader {
  const pages = createPages(now);
  const followed = new Map<string, Followed>();
  const { sendUpdate, sendIfOpen } = createSending(followed, now, () => connection.state() === 'open');

  const connection = createConnection({
    ...parts,
    now,
    toTarget: () => toTarget(followed, pages.wanted(), now()),
    onState: (state) => {
      // Whoever is let in next may be another person.
      if (state === 'refused') dropReadings(followed, pages.wanted());
      for (const { send } of pages.all()) send({ kind: 'stream', state });
    },
    onEvent: (name, data) => {
      if (name === 'renew') connection.renew();
      else if (Object.hasOwn(LIVE_EVENTS, name)) receive(name as Exclude<LiveEventName, 'renew'>, data);
    },
  });

  const receive = (name: Exclude<LiveEventName, 'renew'>, data: string): void => {
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

  /** What pages have stays as old as it is, until another stream begins with the whole. */
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

/** What a page is told of a topic. */
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
    /** The whole only from an open stream: without one, the page polls, and what it has may be newer. */
    sendIfOpen: (page: Page, address: string): void => {
      sendIfLost(page, address);
      if (isOpen()) sendWhole(page, address, followed.get(address));
    },
  };
}

/** The address of a stream of these topics, which asks for the whole of those that nothing is known of. */
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
  return { book: createTopicBook(topic, topic.rowsField), receivedAt: 0, failed: null, losses: 0, followAt: 0 };
}

function noteLoss(topic: Followed, now: number): void {
  topic.losses = now - topic.followAt > STEADY_MS ? 1 : topic.losses + 1;
  topic.followAt = now + (PAUSES_MS[Math.min(topic.losses, PAUSES_MS.length) - 1] ?? 0);
  topic.failed = null;
}

/** They stay followed: a stream that was refused is requested again for topics that it did not have, not for these. */
function dropReadings(followed: Map<string, Followed>, topics: ReadonlyMap<string, FollowedTopic>): void {
  followed.clear();
  for (const topic of topics.values()) followed.set(topic.address, toUnread(topic));
}

/** Another viewer gets a stream of their own, and so does one who was refused before. */
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
  /** Should it come back, it is sent all again. */
  const forget = (page: Page): void => {
    pages.delete(page);
    page.topics = new Map();
  };
  return {
    all: (): Iterable<Page> => pages,
    following: (address: string): readonly Page[] => [...pages].filter(({ topics }) => topics.has(address)),
    /** Its messages are signs of life. */
    add: (page: Page): void => {
      page.seenAt = now();
      pages.add(page);
    },
    forget,
    /** The topics of all pages that gave a sign of life. */
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

/** All events begin with it. */
function addressOf(data: string): string {
  return JSON.parse(/^\{"topic":("(?:[^"\\]|\\.)*")/.exec(data)?.[1] ?? '""') as string;
}
