import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { TOPICS } from '#contract/desk/topics.ts';
import type { RequestContext } from '#server/web/request-context.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createCursors } from './messages.ts';
import { createFeed } from './feed.ts';
import { createLiveRoute } from './live-route.ts';
import type { ViewedFeeds } from './viewed-feeds.ts';

/** A route on which everyone follows one feed. */
function openRoute(look?: () => Promise<boolean>) {
  const clock = createFakeClock();
  const cursors = createCursors();
  const followed: string[] = [];
  const topic = TOPICS.status;
  const feed = createFeed({
    address: 'status',
    topic,
    rowsField: null,
    cadence: () => ({ everySeconds: 5, sharedBy: 1 }),
    nextCursor: cursors.next,
    now: clock.now,
    venueNow: clock.now,
  });
  const feeds: ViewedFeeds = {
    hasSpaceFor: () => true,
    follow: ({ address }) => {
      followed.push(address);
      return feed;
    },
    unfollow: ({ address }) => void followed.splice(followed.indexOf(address), 1),
    close: () => undefined,
  };
  const route = createLiveRoute({ cursors, look, feeds, isCompressed: false, schedule: clock.schedule });
  return { clock, feed, route, followed };
}

test('the stream of a client that left while it was found out who it is follows nothing', async () => {
  const { clock, route, followed } = openRoute();
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request).destroy();
  await once(response, 'close');
  void route.handle({
    request,
    response,
    requestId: 'r',
    rawQuery: 'topic=working-orders',
    viewer: LOCAL_VIEWER,
  } as RequestContext);
  await clock.advance(0);
  expect([followed, route.streams(null)]).toEqual([[], 0]);
});

test('who comes back after their scope has changed is sent all, and nothing that follows what they were sent before', async () => {
  const { clock, feed, route } = openRoute();
  await feed.update({ text: '{"price":1}', cost: 1, sent: 1 });
  const openAs = async (
    viewer: Viewer,
    lastId = '',
  ): Promise<{ readonly names: readonly string[]; readonly id: string }> => {
    const request = new IncomingMessage(new Socket());
    request.headers['last-event-id'] = lastId;
    const response = new ServerResponse(request);
    let sent = '';
    Object.assign(response, { write: (bytes: Buffer) => void (sent += bytes.toString()) });
    void route.handle({ request, response, requestId: 'r', rawQuery: 'topic=status', viewer } as RequestContext);
    await clock.advance(0);
    response.destroy();
    return {
      names: Array.from(sent.matchAll(/^event: (.*)$/gm), ([, name = '']) => name),
      id: /^id: (.*)$/m.exec(sent)?.[1] ?? '',
    };
  };
  const first = await openAs(LOCAL_VIEWER);
  await feed.update({ text: '{"price":2}', cost: 1, sent: 1 });
  expect((await openAs(LOCAL_VIEWER, first.id)).names).toEqual(['read']);
  const changed = { ...LOCAL_VIEWER, entitlement: 'less' };
  const second = await openAs(changed, first.id);
  expect(second.names).toEqual(['snapshot', 'read']);
  await feed.update({ text: '{"price":3}', cost: 1, sent: 1 });
  expect((await openAs(changed, first.id)).names).toEqual(['snapshot', 'read']);
  expect((await openAs(changed, second.id)).names).toEqual(['read']);
});

test('a desk that stops has each stream move after a delay of its own, and waits for them and for the balancer, but not for ever', async () => {
  const { clock, route } = openRoute();
  const open = async () => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    let sent = '';
    Object.assign(response, { write: (bytes: Buffer) => void (sent += bytes.toString()) });
    const context = { request, response, requestId: 'r', rawQuery: 'topic=status', viewer: LOCAL_VIEWER };
    void route.handle(context as RequestContext);
    await clock.advance(0);
    return { response, delay: () => Number(/^event: move\ndata: \{"after_ms":(\d+)\}$/m.exec(sent)?.[1]) };
  };
  const streams = [];
  for (let count = 0; count < 20; count += 1) streams.push(await open());
  let drained = 0;
  void route.drain().then(() => (drained += 1));
  // The balancer may not know yet.
  const late = await open();
  const delays = [...streams, late].map(({ delay }) => delay());
  expect(delays.every((delay) => delay >= 0 && delay < 10_000)).toBe(true);
  expect(new Set(delays).size).toBeGreaterThan(10);
  for (const { response } of streams) response.destroy();
  await clock.advance(0);
  expect(drained).toBe(0);
  late.response.destroy();
  await clock.advance(2_999);
  expect(drained).toBe(0);
  await clock.advance(1);
  expect(drained).toBe(1);

  await open();
  void route.drain().then(() => (drained += 1));
  await clock.advance(29_999);
  expect(drained).toBe(1);
  await clock.advance(1);
  expect(drained).toBe(2);
});

test('a browser that may have more than a desk without its database can read is sent to another one', async () => {
  let isReadable = true;
  const { clock, feed, route } = openRoute(() => Promise.resolve(isReadable));
  await feed.update({ text: '{"price":1}', cost: 1, sent: 1 });
  const open = async (lastId: string): Promise<number> => {
    const request = new IncomingMessage(new Socket());
    request.headers['last-event-id'] = lastId;
    const response = new ServerResponse(request);
    const context = { request, response, requestId: 'r', rawQuery: 'topic=status', viewer: LOCAL_VIEWER };
    void route.handle(context as RequestContext);
    await clock.advance(0);
    response.destroy();
    return response.statusCode;
  };
  expect([await open(''), await open('of another desk')]).toEqual([200, 200]);
  isReadable = false;
  expect([await open(''), await open('of another desk')]).toEqual([200, 503]);
});
