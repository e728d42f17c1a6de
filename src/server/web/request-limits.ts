import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { type Identify, isRead, type Viewer } from '#server/core/viewer.ts';
import { networkOf } from '#server/core/network.ts';
import type { Handler } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { arrivalOf, UNIX_PEER } from './arrival.ts';
import { sendProblem } from './error-responses.ts';
import { type AccessLogEntry, isWhole, onClose } from './request-context.ts';

/**
 * The limits of one person and of one address, so that none can block the others. A browser with ten tabs needs a small
 * part of it. Several people may share an address.
 */
const OF_PERSON: Rate = { atOnce: 64, burst: 1_000, perSecond: 100 };
const OF_ADDRESS: Rate = { atOnce: 512, burst: 8_000, perSecond: 800 };
/** Clients that are not signed in need little: enough for all people of a network to sign in at the same time. */
const OF_STRANGERS: Rate = { atOnce: 32, burst: 1_000, perSecond: 100 };
/** Live streams stay open, so they are counted separately. */
const STREAMS_OF_PERSON: Rate = { atOnce: 32, burst: 200, perSecond: 2 };
/**
 * Each change is stored and recorded in the audit log: at this rate, one person would need days to push out its older
 * entries.
 */
const CHANGES_OF_PERSON: Rate = { atOnce: 64, burst: 1_000, perSecond: 2 };

interface LimitsDeps {
  readonly identify: Identify;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly nextRequestId: () => string;
  readonly record: (entry: AccessLogEntry) => void;
  /** The number of desks that serve the same people. Each allows its part. */
  readonly countDesks: () => number;
}

/**
 * Limits what a handler serves: by network before the sender is known, then by person, or for all unknown senders of a
 * network together.
 */
export function limitRequests(
  { identify, elapsed, nextRequestId, record, countDesks }: LimitsDeps,
  createHandler: (identify: Identify) => Handler,
): Handler {
  const usageOf = (rate: Rate): Usage => createUsage(rate, elapsed, countDesks);
  const ofAddress = usageOf(OF_ADDRESS);
  const ofStrangers = usageOf(OF_STRANGERS);
  const ofPerson = usageOf(OF_PERSON);
  const streamsOfPerson = usageOf(STREAMS_OF_PERSON);
  const changesOfPerson = usageOf(CHANGES_OF_PERSON);
  const held = createHeldRequests();
  const usageFor = (request: IncomingMessage): Usage => {
    if (isStream(request)) return streamsOfPerson;
    return isRead(request) ? ofPerson : changesOfPerson;
  };

  const admit = (request: IncomingMessage, viewer: Viewer | Problem): Viewer | Problem => {
    if ('type' in viewer) return viewer;
    const one = held.find(request);
    if (one !== undefined && viewer.id === '') {
      const problem = take(
        ofStrangers,
        one.network,
        one.onEnd,
        'Without signing in, your network address has sent',
        () => held.endOne(one.network, ['nobody']),
      );
      one.sender = 'nobody';
      return problem ?? viewer;
    }
    if (one !== undefined) one.sender = 'somebody';
    if (viewer.person === '') return viewer;
    const { response } = arrivalOf(request);
    return (
      take(
        usageFor(request),
        viewer.person,
        (release) => {
          if (response === null) release();
          else onClose(response, release);
        },
        'You have sent',
      ) ?? viewer
    );
  };
  const handle = createHandler(async (request) => admit(request, await identify(request)));
  const admitNetwork = (request: IncomingMessage, response: ServerResponse, network: string): Problem | null => {
    const who = 'Your network address has sent';
    if (isStream(request))
      return take(
        ofAddress,
        network,
        (release) => {
          release();
        },
        who,
      );
    return take(
      ofAddress,
      network,
      (release) => {
        held.hold(request, response, network).onEnd(release);
      },
      who,
      () => held.endOne(network, ['unknown', 'nobody']),
    );
  };
  return async (request, response) => {
    const { address } = arrivalOf(request);
    // On a Unix socket without reported addresses, only the proxy knows whose requests these are.
    const problem = address === UNIX_PEER ? null : admitNetwork(request, response, networkOf(address));
    if (problem === null) {
      await handle(request, response);
      return;
    }
    const requestId = nextRequestId();
    record({
      requestId,
      method: request.method ?? '',
      endpoint: 'none',
      status: sendProblem(response, problem, requestId),
      outcome: problem.type,
      tookMs: 0,
    });
  };
}

function isStream({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(LIVE_PATH);
}

/** Returns null if the request may be served; it then counts until it is released. */
function take(
  usage: Usage,
  key: string,
  keep: (release: () => void) => void,
  who: string,
  makeSpace?: () => boolean,
): Problem | null {
  const waitMs = usage.take(key, makeSpace);
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    return {
      type: 'too-soon',
      detail:
        `${who} too many requests at once, which would slow Perpdesk down for others. Try again in ` +
        `${String(retryAfterSeconds)} s.`,
      retryAfterSeconds,
    };
  }
  keep(() => {
    usage.release(key);
  });
  return null;
}

/** `unknown` until the handler identifies the sender, which it never does for a page. */
type Sender = 'unknown' | 'nobody' | 'somebody';

/** A request in progress. */
interface HeldRequest {
  readonly network: string;
  sender: Sender;
  /** Calls back at the end of the request; at once if it has already ended. */
  readonly onEnd: (call: () => void) => void;
}

interface Held extends HeldRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly end: () => void;
}

/** Requests in progress by network, oldest first. */
interface HeldRequests {
  readonly hold: (request: IncomingMessage, response: ServerResponse, network: string) => HeldRequest;
  readonly find: (request: IncomingMessage) => HeldRequest | undefined;
  /**
   * Ends a network’s oldest request by these senders that waits for its client, to send the rest of a body or to take
   * the response, so that idle requests do not block others. Returns false if there is none.
   */
  readonly endOne: (network: string, senders: readonly Sender[]) => boolean;
}

function createHeldRequests(): HeldRequests {
  const byNetwork = new Map<string, Set<Held>>();
  const byRequest = new WeakMap<IncomingMessage, Held>();
  return {
    hold: (request, response, network) => {
      const calls: (() => void)[] = [];
      const others = byNetwork.get(network) ?? new Set();
      const end = (): void => {
        if (!others.delete(held)) return;
        if (others.size === 0) byNetwork.delete(network);
        for (const call of calls.splice(0)) call();
      };
      const onEnd = (call: () => void): void => {
        if (others.has(held)) calls.push(call);
        else call();
      };
      const held: Held = { request, response, network, sender: 'unknown', onEnd, end };
      byRequest.set(request, held);
      byNetwork.set(network, others.add(held));
      onClose(response, end);
      return held;
    },
    find: (request) => byRequest.get(request),
    endOne: (network, senders) => {
      const oldest = [...(byNetwork.get(network) ?? [])].find(
        (held) => senders.includes(held.sender) && waitsForClient(held),
      );
      oldest?.end();
      oldest?.response.destroy();
      return oldest !== undefined;
    },
  };
}

function waitsForClient({ request, response }: Held): boolean {
  return response.writableEnded || !isWhole(request);
}

/** How much of something is allowed. */
interface Rate {
  /** At the same time. */
  readonly atOnce: number;
  /** At once after a pause. */
  readonly burst: number;
  /** On average. */
  readonly perSecond: number;
}

/** Counts the uses of each key. */
interface Usage {
  /**
   * Counts one use until `release`. Returns 0, or the milliseconds after which to try again if it is not allowed. If
   * too many are in progress, `makeSpace` may release one of them, and returns whether it did.
   */
  readonly take: (key: string, makeSpace?: () => boolean) => number;
  readonly release: (key: string) => void;
}

interface Used {
  /** What was left of the burst at `at`. */
  left: number;
  at: number;
  atOnce: number;
}

const BUSY_MS = 1_000;
const SWEEP_MS = 60_000;

/** Each of several desks allows its part of the rate. */
export function createUsage(rate: Rate, elapsed: () => number, countDesks: () => number = () => 1): Usage {
  const uses = new Map<string, Used>();
  let sweptAt = elapsed();
  const partOf = (whole: number): number => Math.max(1, whole / countDesks());
  const leftOf = ({ left, at }: Used, now: number): number =>
    Math.min(partOf(rate.burst), left + ((now - at) * rate.perSecond) / countDesks() / 1_000);

  /** Drops keys whose state equals that of a new one. */
  const sweep = (now: number): void => {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    for (const [key, used] of uses) if (used.atOnce === 0 && leftOf(used, now) >= partOf(rate.burst)) uses.delete(key);
  };

  return {
    take: (key, makeSpace = () => false) => {
      const now = elapsed();
      sweep(now);
      const used = uses.get(key) ?? { left: partOf(rate.burst), at: now, atOnce: 0 };
      uses.set(key, used);
      [used.left, used.at] = [leftOf(used, now), now];
      if (used.left < 1) return ((1 - used.left) * 1_000 * countDesks()) / rate.perSecond;
      if (used.atOnce >= partOf(rate.atOnce) && !makeSpace()) return BUSY_MS;
      used.left -= 1;
      used.atOnce += 1;
      return 0;
    },
    release: (key) => {
      const used = uses.get(key);
      if (used !== undefined) used.atOnce -= 1;
    },
  };
}
