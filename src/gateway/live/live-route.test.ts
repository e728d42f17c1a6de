import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import type { RequestContext } from '../http/request-context.ts';
import { LOCAL_VIEWER } from '../viewer.ts';
import { createCursors } from './cursors.ts';
import { createFeed } from './feed.ts';
import { createLiveRoute } from './live-route.ts';
import type { ViewedFeeds } from './viewed-feeds.ts';

test('the stream of a client that left while it was found out who it is follows nothing', async () => {
  const clock = createFakeClock();
  const cursors = createCursors();
  const followed: string[] = [];
  const feeds: ViewedFeeds = {
    hasRoomFor: () => true,
    follow: ({ address, topic }) => {
      followed.push(address);
      return createFeed({ address, topic, rowsField: null, cadence: () => ({ everySeconds: 5, sharedBy: 1 }), nextCursor: cursors.next, now: clock.now, venueNow: clock.now });
    },
    unfollow: ({ address }) => void followed.splice(followed.indexOf(address), 1),
    close: () => undefined,
  };
  const route = createLiveRoute({ cursors, feeds, isCompressed: false, schedule: clock.schedule });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request).destroy();
  await once(response, 'close');
  void route.handle({ request, response, requestId: 'r', rawQuery: 'topic=working-orders', viewer: LOCAL_VIEWER } as RequestContext);
  await clock.advance(0);
  expect([followed, route.streams()]).toEqual([[], 0]);
});
