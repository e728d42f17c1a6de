import { afterEach, describe, expect, it } from 'vitest';
import type { Handler } from '#server/core/ports.ts';
import { parseSubnets } from '#server/core/network.ts';
import { sendRequest } from '#testing/http-client.ts';
import { arrivalOf, createFront, type FrontOptions, ownOriginOf } from './arrival.ts';
import { guard } from './router.ts';
import { createHttpServer, type HttpServer } from './server.ts';

const opened: HttpServer[] = [];
const publicUrl = 'https://desk.example';

afterEach(async () => {
  await Promise.all(opened.splice(0).map((desk) => desk.close()));
});

/** Shows the sender of a request, and whether it is admitted. */
const show: Handler = (request, response) => {
  response.end(
    JSON.stringify({
      address: arrivalOf(request).address,
      origin: ownOriginOf(request),
      problem: guard(request)?.type ?? null,
    }),
  );
  return Promise.resolve();
};

async function open(options: Partial<FrontOptions> = {}) {
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    report: console.error,
    handle: createFront(show, { publicUrl, ...options }),
  });
  opened.push(desk);
  const address = await desk.listen();
  return async (headers: Readonly<Record<string, string>>) => {
    const response = await sendRequest(address, { headers });
    return {
      status: response.status,
      strict: response.headers['strict-transport-security'],
      shown:
        response.status === 200
          ? (JSON.parse(response.body.toString()) as Record<string, unknown>)
          : response.body.toString(),
    };
  };
}

describe('the public address', () => {
  it.each(['desk.example', 'DESK.EXAMPLE', 'desk.example:443'])(
    'is served as %s, and browsers are to use TLS',
    async (host) => {
      const send = await open();
      expect(await send({ host })).toMatchObject({
        status: 200,
        strict: 'max-age=31536000',
        shown: { origin: publicUrl },
      });
    },
  );

  it.each(['evil.example', 'desk.example:8080', 'desk.example.evil.example', 'desk.example:443:443', '192.0.2.1'])(
    'does not make %s ours',
    async (host) => {
      const send = await open();
      expect(await send({ host })).toMatchObject({
        status: 421,
        shown: 'Open Perpdesk as https://desk.example: other host names are rejected.\n',
      });
    },
  );

  it('leaves the loopback names, without TLS', async () => {
    const send = await open();
    expect(await send({ host: 'localhost:1234' })).toEqual({
      status: 200,
      strict: undefined,
      shown: { address: '127.0.0.1', origin: 'http://localhost:1234', problem: null },
    });
  });

  it.each([
    ['its own pages', 'desk.example', 'https://desk.example', null],
    ['its own pages through a proxy that names another host', '127.0.0.1:8080', 'https://desk.example', null],
    ['pages that came without TLS', 'desk.example', 'http://desk.example', 'cross-site'],
    ['pages of another port', 'desk.example', 'https://desk.example:8443', 'cross-site'],
    ['pages of this machine', 'desk.example', 'http://localhost', 'cross-site'],
    ['pages of another site', 'desk.example', 'https://evil.example', 'cross-site'],
  ])('as for %s', async (_, host, origin, problem) => {
    const send = await open();
    expect(await send({ host, origin })).toMatchObject({ shown: { problem } });
  });
});

describe('a port that other machines reach without encryption', () => {
  const subnets = (text: string) => parseSubnets([text]) ?? (() => false);

  it('serves its proxy and this machine', async () => {
    const send = await open({ isBehindProxy: true, isTrustedProxy: subnets('127.0.0.1') });
    expect(await send({ 'host': 'desk.example', 'x-forwarded-for': '203.0.113.9' })).toMatchObject({
      status: 200,
      shown: { address: '203.0.113.9' },
    });
  });

  it('believes no client that claims to be a proxy', async () => {
    const send = await open({ isTrustedProxy: subnets('10.0.0.7') });
    expect(await send({ 'host': 'desk.example', 'x-forwarded-for': '203.0.113.9' })).toMatchObject({
      status: 200,
      shown: { address: '127.0.0.1' },
    });
  });
});
