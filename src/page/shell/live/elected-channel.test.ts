import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FollowedTopic, ToReader } from '#page/client/live/protocol.ts';
import { openElectedChannel } from './elected-channel.ts';

const TOPIC: FollowedTopic = { address: 'product?product_id=1', key: null, account: null, rowsField: null };
const FIRST: ToReader = { kind: 'viewer', viewer: 'first' };
const FOLLOWED: ToReader = { kind: 'follow', topics: [TOPIC] };

let posted: { readonly message?: ToReader }[];
let hear: (broadcast: object) => void;
let elect: () => void;
let requests: number;

beforeEach(() => {
  [posted, requests] = [[], 0];
  vi.useFakeTimers();
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage(broadcast: object): void {
        posted.push(broadcast);
      }
      addEventListener(_: string, listener: (event: { readonly data: object }) => void): void {
        hear = (data) => {
          listener({ data });
        };
      }
    },
  );
  vi.stubGlobal('navigator', {
    locks: { request: (_: string, hold: () => void) => ((elect = hold), Promise.resolve()) },
  });
  vi.stubGlobal('fetch', () => ((requests += 1), new Promise(() => undefined)));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('another page that becomes the reader is told again who looks, and at what', () => {
  const channel = openElectedChannel();
  for (const message of [FIRST, FOLLOWED]) channel.send(message);
  posted = [];
  hear({ elected: true });
  expect(posted.map(({ message }) => message)).toEqual([FIRST, FOLLOWED]);
});

test('a page that becomes the reader knows who has looked: another viewer gets a stream of their own', async () => {
  const channel = openElectedChannel();
  for (const message of [FIRST, FOLLOWED]) channel.send(message);
  elect();
  await vi.advanceTimersByTimeAsync(100);
  expect(requests).toBe(1);
  channel.send({ kind: 'viewer', viewer: 'second' });
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toBe(2);
});
