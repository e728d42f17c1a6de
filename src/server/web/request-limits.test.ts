import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as send,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { type Identify, LOCAL_VIEWER } from '#server/core/viewer.ts';
import { NOBODY } from '#server/people/accounts/viewers.ts';
import { noteArrival } from './arrival.ts';
import { createUsage, limitRequests } from './request-limits.ts';

const ANN = { ...LOCAL_VIEWER, person: 'ann' };

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return server;
}

it.each([
  ['/api/desk/products', 64],
  [LIVE_PATH, 32],
])('a client of %s that leaves while it is found out who sent its request uses nothing up', async (path, most) => {
  let arrived = 0;
  let left = 0;
  const known = Promise.withResolvers<typeof ANN>();
  const identified: Promise<unknown>[] = [];
  const handle = limitRequests(
    {
      identify: () => known.promise,
      elapsed: () => 0,
      nextRequestId: String,
      record: () => undefined,
      countDesks: () => 1,
    },
    (identify: Identify) => async (request, response) => {
      const viewer = identify(request);
      identified.push(viewer);
      const found = await viewer;
      response.writeHead('type' in found ? 429 : 200).end();
    },
  );
  const server = await serve((request, response) => {
    noteArrival(request, { address: '192.0.2.1', host: 'localhost', publicUrl: null, response });
    arrived += 1;
    response.once('close', () => (left += 1));
    void handle(request, response);
  });
  const { port } = server.address() as AddressInfo;
  const open = () =>
    send({ host: '127.0.0.1', port, path, agent: false })
      .on('error', () => undefined)
      .end();

  const requests = Array.from({ length: most }, open);
  await expect.poll(() => arrived).toBe(most);
  for (const request of requests) request.destroy();
  await expect.poll(() => left).toBe(most);
  known.resolve(ANN);
  await Promise.all(identified);
  const [response] = (await once(open(), 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
});

class FakeResponse extends EventEmitter {
  readonly req = { method: 'POST' };
  destroyed = false;
  writableEnded = false;
  status = 0;
  readonly isTaken: boolean;

  constructor(isTaken: boolean) {
    super();
    this.isTaken = isTaken;
  }

  writeHead(status: number): this {
    this.status = status;
    return this;
  }

  end(): void {
    this.writableEnded = true;
    if (this.isTaken) this.destroy();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Requests of one network. Pages are served without identifying the sender. */
function openNetwork() {
  const identify: Identify = ({ headers }) => Promise.resolve(headers['person'] === undefined ? NOBODY : ANN);
  const handle = limitRequests(
    { identify, elapsed: () => 0, nextRequestId: String, record: () => undefined, countDesks: () => 1 },
    (limited) => async (request, response) => {
      const viewer = request.url === '/' ? ANN : await limited(request);
      if ('type' in viewer) response.writeHead(429).end();
      // A request that is incomplete, or for `/wait`, is held.
      else if (request.complete && request.url !== '/wait') response.writeHead(200).end();
    },
  );
  return async (
    url: string,
    {
      person,
      isWhole = true,
      isTaken = true,
    }: { readonly person?: string; readonly isWhole?: boolean; readonly isTaken?: boolean } = {},
  ): Promise<FakeResponse> => {
    const response = new FakeResponse(isTaken);
    const request = { url, method: 'POST', headers: { person }, complete: isWhole } as unknown as IncomingMessage;
    noteArrival(request, {
      address: '192.0.2.1',
      host: 'localhost',
      publicUrl: null,
      response: response as unknown as ServerResponse,
    });
    await handle(request, response as unknown as ServerResponse);
    return response;
  };
}

async function inTurn(times: number, send: () => Promise<FakeResponse>): Promise<readonly FakeResponse[]> {
  const responses: FakeResponse[] = [];
  for (let count = 0; count < times; count += 1) responses.push(await send());
  return responses;
}

async function statuses(...sends: readonly (() => Promise<FakeResponse>)[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (const send of sends) found.push((await send()).status);
  return found;
}

it('a stranger who never finishes a request leaves the others of their network the page, the sign-in and, once they are in, everything', async () => {
  const send = openNetwork();
  const endless = await inTurn(600, () => send('/sign-in', { isWhole: false }));
  // The first ones made space for the last ones.
  expect(endless.map(({ destroyed }) => destroyed)).toEqual(endless.map((_, index) => index < 600 - 32));
  expect(
    await statuses(
      () => send('/orders', { person: 'ann' }),
      () => send('/sign-in'),
      () => send('/'),
    ),
  ).toEqual([200, 200, 200]);
  // Requests of signed-in people are limited by their own rates, and not ended for others.
  const ofAnn = await inTurn(63, () => send('/orders', { person: 'ann', isWhole: false }));
  await inTurn(600, () => send('/', { isWhole: false }));
  expect(ofAnn.some(({ destroyed }) => destroyed)).toBe(false);
});

it('a stranger who never takes a response leaves the others of their network the page', async () => {
  const send = openNetwork();
  await inTurn(600, () => send('/', { isTaken: false }));
  expect(
    await statuses(
      () => send('/'),
      () => send('/orders', { person: 'ann' }),
      () => send('/sign-in'),
    ),
  ).toEqual([200, 200, 200]);
});

it('strangers who wait for their response are not ended for others, who are told to wait', async () => {
  const send = openNetwork();
  const waiting = await inTurn(32, () => send('/wait'));
  expect(
    await statuses(
      () => send('/sign-in'),
      () => send('/orders', { person: 'ann' }),
      () => send('/'),
    ),
  ).toEqual([429, 200, 200]);
  expect(waiting.some(({ destroyed }) => destroyed)).toBe(false);
  waiting[0]?.end();
  expect((await send('/sign-in')).status).toBe(200);
});

it('allows a burst, then so many a second, and says when to try again', () => {
  let now = 0;
  const { take, release } = createUsage({ atOnce: 100, burst: 3, perSecond: 2 }, () => now);
  expect([take('a'), take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 0, 500, 0]);
  now = 500;
  expect([take('a'), take('a')]).toEqual([0, 500]);
  now = 1_000_000;
  for (let used = 0; used < 4; used++) release('a');
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([0, 0, 0, 500]);
});

it('allows so many at the same time', () => {
  const { take, release } = createUsage({ atOnce: 2, burst: 100, perSecond: 1 }, () => 0);
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 1_000]);
  release('a');
  expect([take('a'), take('a')]).toEqual([0, 1_000]);
});

it('each of several desks allows its part, and at least one at a time', () => {
  let now = 0;
  let desks = 1;
  const { take, release } = createUsage(
    { atOnce: 3, burst: 6, perSecond: 2 },
    () => now,
    () => desks,
  );
  const takeAll = (): number => {
    let taken = 0;
    for (; take('ann') === 0; taken += 1) release('ann');
    return taken;
  };
  expect([takeAll(), take('ann')]).toEqual([6, 500]);
  now += 60_000;
  desks = 2;
  expect([takeAll(), take('ann')]).toEqual([3, 1_000]);
  now += 60_000;
  expect([take('ann'), take('ann')]).toEqual([0, 0]);
  expect(take('ann')).toBeGreaterThan(0);
  release('ann');
  desks = 10;
  now += 60_000;
  expect(take('ann')).toBeGreaterThan(0);
  release('ann');
  expect(take('ann')).toBe(0);
});
