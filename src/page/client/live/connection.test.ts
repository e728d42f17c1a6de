import { beforeEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { type Connection, createConnection } from './stream-reader.ts';
import type { StreamState } from './live.ts';

type Answer = (signal: AbortSignal) => Promise<Response>;
type Body = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

const SECOND_MS = 1_000;
let clock: FakeClock;
let connection: Connection;
let states: StreamState[];
let events: string[];
let ids: (string | null)[];
let answer: Answer;

beforeEach(() => {
  clock = createFakeClock();
  [states, events, ids] = [[], [], []];
  connection = createConnection({
    ...clock,
    fetch: (_, { headers, signal }) => {
      ids.push(new Headers(headers).get('last-event-id'));
      return answer(signal ?? expect.fail('no signal'));
    },
    toTarget: () => '/live',
    onState: (state) => void states.push(state),
    onEvent: (name) => void events.push(name),
    random: () => 1,
  });
});

const silent: Answer = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('aborted'));
    });
  });
const withStatus =
  (status: number): Answer =>
  () =>
    Promise.resolve(new Response('no', { status }));

/** Returns a stream whose body continues whatever the signal says, like bytes that have already arrived. */
function streams(bodies: Body[]): Answer {
  const headers = { 'content-type': 'text/event-stream' };
  return () =>
    Promise.resolve(
      new Response(new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (body) => void bodies.push(body) }), {
        headers,
      }),
    );
}

const send = (body: Body | undefined, text: string): void => {
  body?.enqueue(new TextEncoder().encode(text));
};
const event = (name: string, id: string): string => `event: ${name}\ndata: {}\n\nid: ${id}\n\n`;

async function open(): Promise<void> {
  connection.renew();
  await clock.advance(0);
}

test('a stream that renews in silence is not taken for an open one', async () => {
  answer = streams([]);
  await open();
  answer = silent;
  await open();
  expect(states.at(-1)).toBe('open');
  await clock.advance(25 * SECOND_MS);
  expect(states.at(-1)).toBe('connecting');
  await clock.advance(SECOND_MS);
  expect(ids).toHaveLength(3);
});

test('what arrived before a sleep is not taken for new: it is requested again', async () => {
  const bodies: Body[] = [];
  answer = streams(bodies);
  await open();
  send(bodies[0], event('read', 'a'));
  await clock.advance(0);
  // No timer fires during a sleep.
  clock.correct(3_600 * SECOND_MS);
  send(bodies[0], event('read', 'b'));
  await clock.advance(0);
  expect(events).toHaveLength(1);
  await clock.advance(25 * SECOND_MS);
  expect(ids).toEqual([null, 'a']);
});

test('a stream that was replaced moves the cursor no more', async () => {
  const bodies: Body[] = [];
  answer = streams(bodies);
  await open();
  await open();
  send(bodies[0], event('read', 'late'));
  await clock.advance(0);
  await open();
  expect({ events, ids }).toEqual({ events: [], ids: [null, null, null] });
});

test.each([429, 500, 502, 503, 504])('%i passes: the stream is opened again', async (status) => {
  answer = withStatus(status);
  await open();
  await clock.advance(SECOND_MS);
  expect(ids).toHaveLength(2);
});

test.each([200, 302, 401, 403, 404])('%i does not: the stream is refused', async (status) => {
  answer = withStatus(status);
  await open();
  await clock.advance(600 * SECOND_MS);
  expect({ state: connection.state(), requests: ids.length }).toEqual({ state: 'refused', requests: 1 });
});

test('where streams are cut as soon as they open, they are opened ever less often', async () => {
  const bodies: Body[] = [];
  answer = async (signal) => {
    const response = await streams(bodies)(signal);
    bodies.at(-1)?.close();
    return response;
  };
  await open();
  await clock.advance(300 * SECOND_MS);
  expect(ids.length).toBeLessThan(20);
});
