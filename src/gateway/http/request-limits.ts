import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIVE_PATH } from '#contract/live.ts';
import { isRead } from '../is-read.ts';
import type { Handler } from '../ports.ts';
import { networkOf } from '../subnets.ts';
import type { Problem } from '../venue-failure.ts';
import type { Identify, Viewer } from '../viewer.ts';
import { arrivalOf } from './arrival.ts';
import { UNIX_PEER } from './client-address.ts';
import { sendProblem } from './problem-document.ts';
import { onClose, type AccessLogEntry } from './request-context.ts';
import { createUsage, type Rate, type Usage } from './usage.ts';

/**
 * What one person, and one address, may have served, so that nobody takes the desk from the others. A browser with ten
 * tabs needs a small part of it. Several people may share an address.
 */
const OF_PERSON: Rate = { atOnce: 64, burst: 1_000, perSecond: 100 };
const OF_ADDRESS: Rate = { atOnce: 512, burst: 8_000, perSecond: 800 };
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

/** Limits what a handler serves, by address before it is known who sends a request, and then by person. */
export function limitRequests({ identify, elapsed, nextRequestId, record }: LimitsParts, createHandler: (identify: Identify) => Handler): Handler {
  const ofAddress = createUsage(OF_ADDRESS, elapsed);
  const ofPerson = createUsage(OF_PERSON, elapsed);
  const streamsOfPerson = createUsage(STREAMS_OF_PERSON, elapsed);
  const changesOfPerson = createUsage(CHANGES_OF_PERSON, elapsed);
  const usageFor = (request: IncomingMessage): Usage => {
    if (isStream(request)) return streamsOfPerson;
    return isRead(request) ? ofPerson : changesOfPerson;
  };

  const admit = (request: IncomingMessage, viewer: Viewer | Problem): Viewer | Problem => {
    if ('type' in viewer || viewer.person === '') return viewer;
    return take(usageFor(request), viewer.person, arrivalOf(request).response, 'You have sent') ?? viewer;
  };
  const handle = createHandler((request) => {
    const viewer = identify(request);
    return viewer instanceof Promise ? viewer.then((found) => admit(request, found)) : admit(request, viewer);
  });
  return (request, response) => {
    const { address } = arrivalOf(request);
    // Where it is a socket, only the proxy knows whose requests these are.
    const problem = address === UNIX_PEER ? null : take(ofAddress, networkOf(address), isStream(request) ? null : response, 'Your network address has sent');
    if (problem === null) return handle(request, response);
    const requestId = nextRequestId();
    record({ requestId, method: request.method ?? '', endpoint: 'none', status: sendProblem(response, problem, requestId), outcome: problem.type, tookMs: 0 });
    return undefined;
  };
}

function isStream({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(LIVE_PATH);
}

/** Null: it may be served. It counts until its response is closed; without a response, only for the rate. */
function take(usage: Usage, key: string, response: ServerResponse | null, who: string): Problem | null {
  const waitMs = usage.take(key);
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    return { type: 'too-soon', detail: `${who} too many requests at once, which would slow Perpdesk down for others. Try again in ${String(retryAfterSeconds)} s.`, retryAfterSeconds };
  }
  const release = (): void => {
    usage.release(key);
  };
  if (response === null) release();
  else onClose(response, release);
  return null;
}
