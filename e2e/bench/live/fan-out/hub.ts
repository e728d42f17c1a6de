/** Perpdesk's hub and streams, with an exchange that changes when the benchmark decides. */
import { createServer } from 'node:http';
import { splitTarget } from '../../../../src/server/web/request-context.ts';
import { createHub } from '../../../../src/server/push/hub.ts';
import { createLiveRoute } from '../../../../src/server/push/live-route.ts';
import { parseFollows } from '../../../../src/server/push/topic-request.ts';
import { createViewedFeeds } from '../../../../src/server/push/viewed-feeds.ts';
import { LOCAL_VIEWER } from '../../../../src/server/core/viewer.ts';
import { createBook, toResponse } from '../book.ts';
import { ADDRESS } from './deltas.ts';
import { runSender } from './sender.ts';

const book = createBook();
let text = toResponse(book.orders());
let readNow = (): void => undefined;

const toProblem = (error: unknown): never => {
  throw error;
};
const respondNothing = (): never => {
  throw new Error('all viewers of the benchmark may see all orders');
};
const hub = createHub({
  read: () => Promise.resolve({ text, cost: 1, sent: 1 }),
  toProblem,
  rateLimiter: { shareOf: () => null },
  aliasOf: (_, code) => code,
  now: Date.now,
  elapsed: () => performance.now(),
  venueNow: Date.now,
  schedule: (_, call) => {
    readNow = call;
    return () => undefined;
  },
});
const schedule = () => () => undefined;
const feeds = createViewedFeeds({
  hub,
  toProblem,
  schedule,
  now: Date.now,
  venueNow: Date.now,
  responders: { status: respondNothing, alerts: respondNothing, working: respondNothing },
  findOwn: respondNothing,
});
const route = createLiveRoute({ feeds, cursors: hub.cursors, isCompressed: true, schedule });

const follows = parseFollows(`topic=${ADDRESS}`);
if ('type' in follows) throw new Error(follows.detail);
const [follow] = follows;
if (follow === undefined) throw new Error('there is no topic');

/** This follower is the first, so it is notified before all clients. */
let onReady = (): void => undefined;
hub.follow(follow, {
  payers: () => [LOCAL_VIEWER.payer],
  onChange: () => {
    onReady();
  },
});

const change = (begin: () => void): Promise<void> =>
  new Promise((resolve) => {
    onReady = () => {
      begin();
      // The streams are written in this task, and so are their connections.
      setImmediate(resolve);
    };
    readNow();
  });
await change(() => undefined);

const server = createServer((request, response) => {
  void route.handle({
    request,
    response,
    requestId: '',
    startedAt: 0,
    viewer: LOCAL_VIEWER,
    ...splitTarget(request.url ?? ''),
  });
});
runSender(server, {
  send: (begin) => {
    book.change();
    text = toResponse(book.orders());
    return change(begin);
  },
});
