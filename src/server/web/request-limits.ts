import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { isRead } from '#server/core/is-read.ts';
import type { Handler } from '#server/core/ports.ts';
import { networkOf } from '#server/core/subnets.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import type { Identify, Viewer } from '#server/core/viewer.ts';
import { arrivalOf } from './arrival.ts';
import { UNIX_PEER } from './client-address.ts';
import { createHeldRequests } from './held-requests.ts';
import { sendProblem } from './problem-document.ts';
import { onClose, type AccessLogEntry } from './request-context.ts';
import { createUsage, type Rate, type Usage } from './usage.ts';

/**
 * What one person, and one address, may have served, so that nobody takes the desk from the others. A browser with ten
 * tabs needs a small part of it. Several people may share an address.
 */
const OF_PERSON: Rate = { atOnce: 64, burst: 1_000, perSecond: 100 };
const OF_ADDRESS: Rate = { atOnce: 512, burst: 8_000, perSecond: 800 };
/** Who has not signed in needs little: all of a network that sign in at the same time. */
const OF_STRANGERS: Rate = { atOnce: 32, burst: 1_000, perSecond: 100 };
/** Live streams stay open: they are counted apart. */
const STREAMS_OF_PERSON: Rate = { atOnce: 32, burst: 200, perSecond: 2 };
/** Each is stored, and recorded in the audit log: at this rate, one person would need days to push out its older entries. */
const CHANGES_OF_PERSON: Rate = { atOnce: 64, burst: 1_000, perSecond: 2 };

interface LimitsParts {
  readonly identify: Identify;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly nextRequestId: () => string;
  readonly record: (entry: AccessLogEntry) => void;
}

/** Limits what a handler serves: by network before it is known who sends a request, then by person, or for all strangers of a network. */
export function limitRequests(
  { identify, elapsed, nextRequestId, record }: LimitsParts,
  createHandler: (identify: Identify) => Handler,
): Handler {
  const ofAddress = createUsage(OF_ADDRESS, elapsed);
  const ofStrangers = createUsage(OF_STRANGERS, elapsed);
  const ofPerson = createUsage(OF_PERSON, elapsed);
  const streamsOfPerson = createUsage(STREAMS_OF_PERSON, elapsed);
  const changesOfPerson = createUsage(CHANGES_OF_PERSON, elapsed);
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
    // Where it is a socket, only the proxy knows whose requests these are.
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

/** Null: it may be served, and counts until it is released. */
function take(
  usage: Usage,
  key: string,
  keep: (release: () => void) => void,
  who: string,
  makeRoom?: () => boolean,
): Problem | null {
  const waitMs = usage.take(key, makeRoom);
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    return {
      type: 'too-soon',
      detail: `${who} too many requests at once, which would slow Perpdesk down for others. Try again in ${String(retryAfterSeconds)} s.`,
      retryAfterSeconds,
    };
  }
  keep(() => {
    usage.release(key);
  });
  return null;
}
