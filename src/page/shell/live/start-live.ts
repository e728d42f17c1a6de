import { defaultScheduler, notifyManager, type Query, type QueryCache, type QueryClient } from '@tanstack/react-query';
import {
  type FollowedQuery,
  type FromReader,
  type Live,
  type LiveMeta,
  type LiveQuery,
  LOST,
  SIGN_OF_LIFE_MS,
  type StreamState,
  type ToReader,
} from '#page/client/live/live.ts';
import type { TopicName } from '#contract/desk/topics.ts';
import { type Access, toEntitlement } from '#page/client/access.ts';
import { createIntake, type IntakeDeps } from '#page/client/live/intake.ts';

/** The connection to the reader of the stream. */
interface ReaderPort {
  readonly send: (message: ToReader) => void;
  readonly listen: (listener: (message: FromReader) => void) => void;
}

interface PageDeps extends Pick<FollowingDeps, 'isHidden' | 'onVisibility'>, Pick<IntakeDeps, 'beforeFrame'> {
  readonly onLeave: (listener: () => void) => void;
  readonly every: (ms: number, call: () => void) => void;
  readonly access: Access;
}

const STATUS: TopicName = 'status';

/** Follows the topics of what is on screen, and puts pushed responses into the query cache. */
function bindLive(
  live: Live,
  client: QueryClient,
  port: ReaderPort,
  { onLeave, every, beforeFrame, access, ...page }: PageDeps,
): void {
  const sendFollowed = (): void => {
    port.send({ kind: 'follow', topics: Array.from(followed.values(), ({ live: { topic } }) => topic) });
  };
  const onChange = (gone: readonly string[]): void => {
    for (const address of gone) {
      live.setPushedAt(address, 0);
      intake.forget(address);
    }
    sendFollowed();
  };
  const followed = followScreen({ ...page, cache: client.getQueryCache(), onChange });
  const intake = createIntake({
    client,
    beforeFrame,
    find: (address) => followed.get(address),
    requestWhole: (address) => {
      port.send({ kind: 'whole', address });
    },
  });
  const onLost = (address: string): void => {
    live.setPushedAt(address, LOST);
    intake.forget(address);
    const query = followed.get(address)?.query;
    // This notifies the query, which then polls when its response is due.
    query?.setState(query.state);
  };
  const onState = (state: StreamState): void => {
    live.setState(state);
    if (state === 'open') return;
    // When a sign-in session ends, its stream ends first.
    void access.check();
    intake.forget();
    for (const {
      query,
      live: { topic },
    } of followed.values()) {
      // The status is read at once, to show whether the server is still there. The other queries are notified, and poll
      // when their responses are due.
      if (topic.address === STATUS)
        void client.invalidateQueries({ queryKey: query.queryKey }, { cancelRefetch: false });
      else query.setState(query.state);
    }
  };
  port.listen((message) => {
    if (message.kind === 'stream') {
      onState(message.state);
    } else if (message.kind === 'lost') {
      onLost(message.address);
    } else if (followed.has(message.address)) {
      live.setPushedAt(message.address, message.receivedAt);
      intake.receive(message);
    }
  });
  const sendViewer = (): void => {
    const me = access.read()?.me;
    if (me !== null && me !== undefined) port.send({ kind: 'viewer', viewer: toEntitlement(me) });
  };
  access.subscribe(sendViewer);
  sendViewer();
  onLeave(() => {
    port.send({ kind: 'leave' });
  });
  every(SIGN_OF_LIFE_MS, sendFollowed);
}

interface FollowingDeps {
  readonly cache: QueryCache;
  readonly isHidden: () => boolean;
  readonly onVisibility: (listener: () => void) => void;
  readonly onChange: (gone: readonly string[]) => void;
}

/**
 * Follows the topics of the queries on screen; while the page is hidden, only those that are read in the background.
 */
function followScreen({ cache, isHidden, onVisibility, onChange }: FollowingDeps): ReadonlyMap<string, FollowedQuery> {
  const followed = new Map<string, FollowedQuery>();
  let isScheduled = false;

  const update = (): void => {
    isScheduled = false;
    const wanted = findOnScreen(cache.getAll() as readonly LiveQuery[], isHidden());
    const gone = [...followed.keys()].filter((address) => !wanted.has(address));
    const isSame = gone.length === 0 && wanted.size === followed.size;
    for (const address of gone) followed.delete(address);
    for (const [address, each] of wanted) followed.set(address, each);
    if (!isSame) onChange(gone);
  };

  const schedule = (): void => {
    if (!isScheduled) queueMicrotask(update);
    isScheduled = true;
  };

  cache.subscribe(({ type }) => {
    if (CHANGES_SCREEN.has(type)) schedule();
  });
  onVisibility(schedule);
  return followed;
}

const CHANGES_SCREEN: ReadonlySet<string> = new Set([
  'observerAdded',
  'observerRemoved',
  'observerOptionsUpdated',
  'removed',
]);

function findOnScreen(queries: readonly LiveQuery[], isHidden: boolean): Map<string, FollowedQuery> {
  const found = new Map<string, FollowedQuery>();
  for (const query of queries) {
    const shown = query.observers.filter(
      ({ options }) => options.enabled !== false && (!isHidden || options.refetchIntervalInBackground === true),
    );
    const live = shown.map(({ options }) => toMeta(options.meta)).find((meta) => meta !== null);
    if (live !== undefined) found.set(live.topic.address, { query, live });
  }
  return found;
}

function toMeta(meta: Readonly<Record<string, unknown>> | undefined): LiveMeta | null {
  return (meta?.['live'] as LiveMeta | undefined) ?? null;
}

export async function startLive(live: Live, client: QueryClient, access: Access): Promise<void> {
  await whenQuiet(client, schedule);
  bindLive(live, client, await openPort(), {
    access,
    isHidden: () => document.hidden,
    onVisibility: (listener) => {
      document.addEventListener('visibilitychange', listener);
    },
    onLeave: (listener) => {
      addEventListener('pagehide', listener);
    },
    beforeFrame: createBeforeFrame(onNextFrame),
    every: (ms, call) => {
      setInterval(call, ms);
    },
  });
}

/**
 * Opens a port to the reader of the stream: a shared worker for all pages of this browser or, where shared workers do
 * not exist, a reader in this page. The latter keeps a stream open only while the page is visible or reads in the
 * background, because many tabs would otherwise use up the few connections that a browser opens to a server.
 */
function openPort(): ReaderPort | Promise<ReaderPort> {
  return 'SharedWorker' in globalThis ? openWorkerPort() : openPagePort();
}

/**
 * Browsers identify a shared worker by its address. It contains a hash of the worker's code, so pages of another build
 * get a worker of their own.
 */
function openWorkerPort(): ReaderPort {
  const { port } = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'perpdesk' });
  return {
    send: (message) => {
      port.postMessage(message);
    },
    listen: (listener) => {
      port.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
        listener(data);
      });
      port.start();
    },
  };
}

async function openPagePort(): Promise<ReaderPort> {
  const { createBrowserReader } = await import('./browser-reader.ts');
  let listener: (message: FromReader) => void = () => undefined;
  const send = createBrowserReader().connect((message) => {
    listener(message);
  });
  return {
    send,
    listen: (next) => {
      listener = next;
    },
  };
}

/** Runs the call at once if the page is hidden, because hidden pages draw no frames. */
function onNextFrame(call: () => void): void {
  if (document.hidden) {
    queueMicrotask(call);
    return;
  }
  const run = (): void => {
    cancelAnimationFrame(frame);
    document.removeEventListener('visibilitychange', run);
    call();
  };
  const frame = requestAnimationFrame(run);
  document.addEventListener('visibilitychange', run);
}

/**
 * Runs calls just before the next frame, and makes the query library notify screens of their changes at once. By
 * default, the library notifies in a later task, after that frame, so each change would cost two frames.
 * @internal Exported for its test.
 */
export function createBeforeFrame(onFrame: (call: () => void) => void): (call: () => void) => void {
  let isBeforeFrame = false;
  notifyManager.setScheduler((notify) => {
    if (isBeforeFrame) queueMicrotask(notify);
    else defaultScheduler(notify);
  });
  return (call) => {
    onFrame(() => {
      isBeforeFrame = true;
      try {
        call();
      } finally {
        isBeforeFrame = false;
      }
    });
  };
}

/** A screen that is still loading may pause briefly between two requests. */
const QUIET_MS = 1_000;

/** Only first reads count: on a slow line, some refresh may always be running. */
function isFirst({ state }: Query): boolean {
  return state.data === undefined;
}

/**
 * Resolves once the page has read what it shows first. A stream starts by sending the same data again, which would
 * delay the first rows on a slow line.
 */
export function whenQuiet(
  client: Pick<QueryClient, 'isFetching' | 'getQueryCache'>,
  schedule: (ms: number, call: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let cancel: (() => void) | null = null;
    // The cache also reports unrelated events, such as a render, which must not restart the wait.
    const wait = (): void => {
      if (client.isFetching({ predicate: isFirst }) > 0) {
        cancel?.();
        cancel = null;
        return;
      }
      cancel ??= schedule(QUIET_MS, () => {
        unsubscribe();
        resolve();
      });
    };
    const unsubscribe = client.getQueryCache().subscribe(wait);
    wait();
  });
}

export function schedule(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => {
    clearTimeout(timer);
  };
}
