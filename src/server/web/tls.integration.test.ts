import { once } from 'node:events';
import { connect as connectSession, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { ServerResponse } from 'node:http';
import { get } from 'node:https';
import { connect as connectSocket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Handler } from '#server/core/ports.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { FLAGS, FRAME_TYPES, frameTypesIn, PREFACE, toFrame, toHead } from '#testing/attacks/http2-frames.ts';
import { createFront } from './arrival.ts';
import { securityHeaders } from './send-response.ts';
import { readJsonBody } from './read-body.ts';
import { abortOnDisconnect } from './request-context.ts';
import { createHttpServer, type HttpServer, type HttpServerConfig } from './server.ts';

const pair = makeSelfSigned(Date.now());
const never = 1_000_000;
/** Known to Node, but not to its types. */
const HALF_OPEN = { allowHalfOpen: true };
const opened: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((desk) => desk.close()));
});

async function open(handle: Handler, config: Partial<HttpServerConfig> = {}) {
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    certificate: pair,
    handle: createFront(handle, { publicUrl: 'https://desk.example' }),
    report: console.error,
    ...config,
  });
  const address = await desk.listen();
  opened.push(desk);
  return { desk, address, port: Number(new URL(address).port) };
}

const countSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

function openSession(address: string, ca = pair.cert): ClientHttp2Session {
  const session = connectSession(address, { ca });
  session.on('error', () => undefined);
  onTestFinished(() => {
    session.destroy();
  });
  return session;
}

async function request(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
): Promise<{ headers: IncomingHttpHeaders & { ':status'?: number }; body: string }> {
  const stream = session.request(headers, { endStream: body === undefined });
  const responded = once(stream, 'response') as Promise<[IncomingHttpHeaders]>;
  if (body !== undefined) stream.end(body);
  const [received] = await responded;
  return { headers: received, body: (await buffer(stream)).toString() };
}

const done: Handler = (_, response) => {
  response.writeHead(200, ['etag', '"1"', 'connection', 'close']).end('done');
  return Promise.resolve();
};

describe('a desk with a certificate', () => {
  it('serves HTTP/2 and HTTP/1.1 at one address, which is https', async () => {
    const { address } = await open(done);
    expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await request(openSession(address), { ':path': '/' })).toMatchObject({
      headers: { ':status': 200, 'etag': '"1"' },
      body: 'done',
    });
    const [response] = (await once(get(address, { ca: pair.cert, agent: false }), 'response')) as [
      NodeJS.ReadableStream & { httpVersion: string },
    ];
    expect([response.httpVersion, await text(response)]).toEqual(['1.1', 'done']);
  });

  it('serves the hosts that it serves without TLS, and no request that names two', async () => {
    const session = openSession((await open(done)).address);
    const statusOf = async (headers: Record<string, string>) => (await request(session, headers)).headers[':status'];
    expect(await statusOf({ ':authority': 'desk.example' })).toBe(200);
    expect(await statusOf({ ':authority': 'desk.example', 'host': 'desk.example' })).toBe(200);
    expect(await statusOf({ ':authority': 'evil.example' })).toBe(421);
    expect(await statusOf({ ':authority': 'desk.example', 'host': 'evil.example' })).toBe(400);
  });

  it('serves no request of the past: TLS 1.1, ciphers that do not authenticate, or HTTP/1 that calls itself 2.0', async () => {
    const { port } = await open(done);
    const old = connectTls({
      port,
      host: '127.0.0.1',
      ca: pair.cert,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
    const unauthenticated = connectTls({
      port,
      host: '127.0.0.1',
      ca: pair.cert,
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384',
    });
    await expect(once(unauthenticated, 'secureConnect')).rejects.toThrow();
    const socket = connectTls({ port, host: '127.0.0.1', ca: pair.cert });
    socket.write('GET / HTTP/2.0\r\nhost: localhost\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 505 /);
  });

  it('reads the body of a request in HTTP/2, and gives up on one that never ends', async () => {
    const read: Handler = async (message, response) => {
      response.end(JSON.stringify(await readJsonBody(message)));
    };
    const head = { ':method': 'PUT', ':path': '/', 'content-type': 'application/json' };
    expect((await request(openSession((await open(read)).address), head, '{"a":1}')).body).toBe('{"value":{"a":1}}');
    const { address } = await open(read, { headersTimeoutMs: 2_000, requestTimeoutMs: 2_000 });
    const endless = openSession(address).request(head, { endStream: false });
    endless.write('{');
    endless.on('error', () => undefined);
    await once(endless, 'close');
  });

  it('keeps no connection whose client has left a tunnel behind a request', async () => {
    const { port } = await open((_, response) => {
      setTimeout(() => response.end('late'), 20);
      return Promise.resolve();
    });
    const before = countSockets();
    for (let count = 0; count < 20; count += 1) {
      const socket = connectTls({ port, host: '127.0.0.1', ca: pair.cert, ALPNProtocols: ['http/1.1'] });
      socket.on('error', () => undefined);
      await once(socket, 'secureConnect');
      socket.write(
        `GET / HTTP/1.1\r\nhost: localhost\r\n\r\nCONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n${'x'.repeat(50_000)}`,
      );
      setTimeout(() => socket.end(), 5);
      setTimeout(() => socket.destroy(), 20);
      await once(socket, 'close');
    }
    await expect.poll(countSockets, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  });

  it('keeps no connection in HTTP/2 whose client has left while it was written to', async () => {
    const { port } = await open(done, { idleTimeoutMs: 500 });
    const before = countSockets();
    const attack = async (index: number): Promise<void> => {
      const raw = connectSocket({ port, host: '127.0.0.1' });
      const socket = connectTls({ socket: raw, ca: pair.cert, ALPNProtocols: ['h2'] });
      for (const each of [raw, socket]) each.on('error', () => undefined);
      const heads = [1, 3, 5].map((stream) =>
        toHead(
          stream,
          [
            [':method', 'GET'],
            [':path', '/'],
            [':scheme', 'https'],
            [':authority', 'desk.example'],
          ],
          FLAGS.endHeaders,
        ),
      );
      // Sent at the end of the handshake, so that nothing delays the client’s leaving.
      socket.write(Buffer.concat([PREFACE, toFrame({ type: FRAME_TYPES.settings }), ...heads]));
      await once(socket, 'secureConnect');
      await pause(index % 4);
      raw.resetAndDestroy();
    };
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, index) => attack(index)));
    await expect.poll(countSockets, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  });

  it('stops although a client in HTTP/2 leaves its side open', async () => {
    const { desk, port } = await open(done, { graceMs: 100 });
    const socket = connectTls({ port, host: '127.0.0.1', ca: pair.cert, ALPNProtocols: ['h2'], ...HALF_OPEN });
    socket.on('error', () => undefined);
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'secureConnect');
    socket.write(Buffer.concat([PREFACE, toFrame({ type: FRAME_TYPES.settings })]));
    await once(socket, 'data');
    await desk.close();
  });

  it('lets a response in HTTP/2 go on for longer than a request may take', async () => {
    const responses: ServerResponse[] = [];
    const { address } = await open(
      (_, response) => {
        responses.push(response);
        return Promise.resolve();
      },
      { headersTimeoutMs: 200, requestTimeoutMs: 200 },
    );
    const stream = openSession(address).request({ ':path': '/' });
    await expect.poll(() => responses.length).toBe(1);
    const endless = openSession(address).request({ ':method': 'PUT', ':path': '/' }, { endStream: false });
    endless.on('error', () => undefined);
    await once(endless, 'close');
    responses[0]?.end('after it');
    expect((await buffer(stream)).toString()).toBe('after it');
  });

  it('rejects a tunnel in HTTP/2 as it does in HTTP/1.1', async () => {
    const session = openSession((await open(done)).address);
    const { headers, body } = await request(session, { ':method': 'CONNECT', ':authority': 'evil.example:443' });
    expect([headers[':status'], headers['allow'], headers['content-security-policy'], body]).toEqual([
      405,
      'GET, HEAD',
      securityHeaders['content-security-policy'],
      'Only GET and HEAD are supported.\n',
    ]);
    // The connection stays open.
    expect((await request(session, { ':path': '/' })).body).toBe('done');
  });

  it('has no tunnels of other protocols in HTTP/2', async () => {
    const { address, port } = await open(done);
    const socket = connectTls({ port, host: '127.0.0.1', ca: pair.cert, ALPNProtocols: ['h2'] });
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined).on('data', (piece) => (received = Buffer.concat([received, piece])));
    const fields = [
      [':method', 'CONNECT'],
      [':protocol', 'websocket'],
      [':scheme', 'https'],
      [':path', '/'],
      [':authority', 'localhost'],
    ] as const;
    socket.write(
      Buffer.concat([PREFACE, toFrame({ type: FRAME_TYPES.settings }), toHead(1, fields, FLAGS.endHeaders)]),
    );
    await expect.poll(() => frameTypesIn(received)).toContain(FRAME_TYPES.rstStream);
    socket.destroy();
    expect((await request(openSession(address), { ':path': '/' })).body).toBe('done');
  });

  it('notices that a client of HTTP/2 gave up', async () => {
    const arrived = Promise.withResolvers<AbortSignal>();
    const { address } = await open((_, response) => {
      arrived.resolve(abortOnDisconnect(response));
      return Promise.resolve();
    });
    const stream = openSession(address).request({ ':path': '/' });
    const signal = await arrived.promise;
    expect(signal.aborted).toBe(false);
    stream.close();
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe('another certificate', () => {
  it('is shown to new connections, while those that are open go on', async () => {
    const { desk, address } = await open(done);
    const before = openSession(address);
    await request(before, { ':path': '/' });
    const next = makeSelfSigned(Date.now());
    desk.useCertificate(next);
    expect((await request(openSession(address, next.cert), { ':path': '/' })).body).toBe('done');
    expect((await request(before, { ':path': '/' })).body).toBe('done');
    const distrustful = openSession(address);
    await expect(once(distrustful, 'connect')).rejects.toThrow('self-signed');
  });
});

describe('closing', () => {
  it('lets a response in HTTP/2 finish, and does not wait for idle connections', { timeout: 4_000 }, async () => {
    const held = Promise.withResolvers<() => void>();
    const { desk, address, port } = await open(
      (message, response) => {
        if (message.url === '/held') held.resolve(() => void response.end('after the signal'));
        else response.end('done');
        return Promise.resolve();
      },
      { graceMs: never, headersTimeoutMs: 30_000, idleTimeoutMs: never },
    );
    const silent = connectSocket(port, '127.0.0.1');
    const idle: TLSSocket = connectTls({ port, host: '127.0.0.1', ca: pair.cert });
    for (const socket of [silent, idle]) socket.on('error', () => undefined).resume();
    await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect')]);
    const idleSession = openSession(address);
    await request(idleSession, { ':path': '/' });
    const received = request(openSession(address), { ':path': '/held' });
    const respond = await held.promise;
    const closed = desk.close();
    respond();
    expect((await received).body).toBe('after the signal');
    await closed;
    await expect.poll(() => [silent.destroyed, idle.destroyed, idleSession.closed]).toEqual([true, true, true]);
  });

  it('ends a response in HTTP/2 that outlasts the grace period', async () => {
    const { desk, address } = await open(() => Promise.resolve(), { graceMs: 1 });
    const stream = openSession(address).request({ ':path': '/' });
    const ended = new Promise<void>((resolve) => {
      stream
        .on('error', () => undefined)
        .once('close', () => {
          resolve();
        });
    });
    await once(stream, 'ready');
    await desk.close();
    await ended;
  });
});
