import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { LIVE_PATH } from '#contract/live.ts';
import { LOCAL_VIEWER, type Identify } from '../viewer.ts';
import { noteArrival } from './arrival.ts';
import { limitRequests } from './request-limits.ts';

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

it.each([['/api/desk/products', 64], [LIVE_PATH, 32]])('a client of %s that leaves while it is found out who sent its request uses nothing up', async (path, most) => {
  let arrived = 0;
  let left = 0;
  const known = Promise.withResolvers<typeof ANN>();
  const identified: Promise<unknown>[] = [];
  const handle = limitRequests({ identify: () => known.promise, elapsed: () => 0, nextRequestId: String, record: () => undefined }, (identify: Identify) => async (request, response) => {
    const viewer = Promise.resolve(identify(request));
    identified.push(viewer);
    const found = await viewer;
    response.writeHead('type' in found ? 429 : 200).end();
  });
  const server = await serve((request, response) => {
    noteArrival(request, { address: '192.0.2.1', host: 'localhost', publicUrl: null, response });
    arrived += 1;
    response.once('close', () => (left += 1));
    void handle(request, response);
  });
  const { port } = server.address() as AddressInfo;
  const open = () => send({ host: '127.0.0.1', port, path, agent: false }).on('error', () => undefined).end();

  const requests = Array.from({ length: most }, open);
  await expect.poll(() => arrived).toBe(most);
  for (const request of requests) request.destroy();
  await expect.poll(() => left).toBe(most);
  known.resolve(ANN);
  await Promise.all(identified);
  const [response] = (await once(open(), 'response')) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
});
