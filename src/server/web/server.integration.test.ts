import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Handler } from '#server/core/ports.ts';
import { sendRequest, sendRaw } from '#testing/http-client.ts';
import { createHttpServer, type HttpServer, type HttpServerConfig } from './server.ts';
import { securityHeaders } from './send-response.ts';

/** Longer than any test may take: a close that waits for it never finishes in time. */
const never = 1_000_000;
const opened: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((desk) => desk.close()));
});

async function open(handle: Handler, config: Partial<HttpServerConfig> = {}) {
  const reported: unknown[] = [];
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    handle,
    report: (error) => reported.push(error),
    ...config,
  });
  const address = await desk.listen();
  opened.push(desk);
  return { desk, address, port: Number(new URL(address).port), reported };
}

const answerAtOnce: Handler = (_, response) => {
  response.end('done');
  return Promise.resolve();
};

/** Keeps every response until the test ends it. */
function holding() {
  const started = Promise.withResolvers<ServerResponse>();
  const handle: Handler = (_, response) => {
    started.resolve(response);
    return Promise.resolve();
  };
  return { handle, started: started.promise };
}

describe('a handler that fails', () => {
  const failure = new Error('a secret about the inside');
  const cases: readonly (readonly [string, Handler])[] = [
    [
      'by throwing',
      () => {
        throw failure;
      },
    ],
    ['by rejecting', () => Promise.reject(failure)],
  ];

  it.each(cases)('%s gets a 500 and is reported', async (_, handle) => {
    const { address, reported } = await open(handle);
    const { status, headers, body } = await sendRequest(address);
    expect(status).toBe(500);
    expect(headers).toMatchObject(securityHeaders);
    expect(body.toString()).not.toContain('secret');
    expect(reported).toEqual([failure]);
  });

  it('in the middle of a response closes the connection, so that the response is not taken for complete', async () => {
    const { address, reported } = await open((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      throw failure;
    });
    await expect(sendRequest(address)).rejects.toThrow();
    expect(reported).toEqual([failure]);
  });
});

describe('a malformed request', () => {
  it.each([
    [400, 'HELLO\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    [405, 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n'],
    [417, 'GET / HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nhost: localhost\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is rejected with %i and our headers, and the connection closed', async (status, bytes) => {
    const { address } = await open(answerAtOnce);
    const answer = await sendRaw(address, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`content-security-policy: ${securityHeaders['content-security-policy']}`);
    expect(answer).not.toContain('done');
  });
});

describe('a rejected tunnel', () => {
  const tunnel = 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n';

  it('that the client resets does not affect other connections', async () => {
    const { address, port } = await open(answerAtOnce);
    const socket = connect(port, '127.0.0.1');
    socket.write(tunnel);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await sendRequest(address)).status).toBe(200);
  });

  it('behind a request in progress, that the client resets, does not affect other connections', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const { address, port } = await open((request, response) => {
      if (request.url === '/held') held.resolve(response);
      else response.end('done');
      return Promise.resolve();
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /held HTTP/1.1\r\nhost: localhost\r\n\r\n${tunnel}`);
    const response = await held.promise;
    socket.resetAndDestroy();
    await once(response, 'close');
    expect((await sendRequest(address)).status).toBe(200);
  });

  it('that the client keeps open is closed', async () => {
    const { port } = await open(answerAtOnce);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    socket
      .on('error', () => undefined)
      .on('data', (piece) => received.push(piece))
      .write(tunnel);
    await once(socket, 'end');
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 405 /);
    const writing = setInterval(() => socket.write('still here'), 50);
    await expect.poll(() => socket.destroyed).toBe(true);
    clearInterval(writing);
  });
});

it('a connection stays open between requests for as long as others may be idle', async () => {
  const { address } = await open(answerAtOnce);
  expect(
    await sendRaw(
      address,
      'GET / HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
    ),
  ).toMatch(/^keep-alive: timeout=120\r$/im);
});

it('a client that drips its request is disconnected', async () => {
  const { address } = await open(answerAtOnce, { headersTimeoutMs: 20 });
  expect(await sendRaw(address, 'GET / HTTP/1.1\r\nhost: loc')).toMatch(/^HTTP\/1\.1 408 /);
});

describe('a body that never ends', () => {
  const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{';
  const awaitBody: Handler = async (request, response) => {
    await text(request).catch(() => undefined);
    response.end('done');
  };

  it('is given up, although its handler waits for it and single bytes arrive', async () => {
    const { address, port } = await open(awaitBody, { headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const socket = connect(port, '127.0.0.1');
    socket
      .on('error', () => undefined)
      .resume()
      .write(head);
    const dripping = setInterval(() => socket.write('.'), 50);
    await expect.poll(() => socket.destroyed, { timeout: 5_000 }).toBe(true);
    clearInterval(dripping);
    expect(socket.bytesWritten).toBeLessThan(1_000);
    expect((await sendRequest(address)).status).toBe(200);
  });

  it('does not limit a response that goes on for longer', async () => {
    const { handle, started } = holding();
    const { address } = await open(handle, { headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const received = sendRequest(address);
    const response = await started;
    // Resolves when a body that began later has timed out.
    const later = sendRaw(address, head);
    await later;
    response.end('done');
    expect((await received).body.toString()).toBe('done');
  });
});

it('a client that does not read its response is disconnected', async () => {
  const closed: Promise<unknown>[] = [];
  const { port } = await open(
    (_request, response) => {
      closed.push(once(response, 'close'));
      response.end(Buffer.alloc(32_000_000));
      return Promise.resolve();
    },
    { idleTimeoutMs: 100 },
  );
  const socket = connect({ port, host: '127.0.0.1' });
  socket
    .pause()
    .on('error', () => undefined)
    .write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => closed).toHaveLength(1);
  await closed[0];
  socket.destroy();
});

it.each(['HELLO', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443'])(
  '%j, sent behind a request, does not corrupt the response to that one, and closes the connection after it',
  async (behind) => {
    const { handle, started } = holding();
    const { address } = await open(handle);
    const received = sendRaw(address, `GET / HTTP/1.1\r\nhost: localhost\r\n\r\n${behind}\r\n\r\n`);
    (await started).end('done');
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\ndone$/);
  },
);

it('a rejection reaches a client that keeps sending', async () => {
  const { address } = await open(answerAtOnce);
  expect(await sendRaw(address, `GET /${'a'.repeat(2_000_000)} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
});

describe('closing', () => {
  it('does not wait for idle connections', async () => {
    // No timeout ends one meanwhile either.
    const { desk, port } = await open(answerAtOnce, { graceMs: never, headersTimeoutMs: 30_000, idleTimeoutMs: never });
    const unused = connect(port, '127.0.0.1');
    const halfAsked = connect(port, '127.0.0.1');
    const used = connect(port, '127.0.0.1');
    halfAsked.write('GET / HTTP/1.1\r\nhost: loc');
    used.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const sockets = [unused, halfAsked, used];
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.all([once(unused, 'connect'), once(halfAsked, 'connect'), once(used, 'data')]);
    for (const socket of sockets) socket.resume();
    const closed: string[] = [];
    void desk.close().then(() => closed.push('desk'));
    await expect
      .poll(() => [...closed, ...sockets.map(({ destroyed }) => destroyed)])
      .toEqual(['desk', true, true, true]);
  });

  // Less than Node’s own keep-alive timeout.
  it('lets a request in progress finish, then closes its connection', { timeout: 4_000 }, async () => {
    const { handle, started } = holding();
    const { desk, port } = await open(handle, { graceMs: never });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const received = text(socket);
    const response = await started;
    const closed = desk.close();
    response.end('after the signal');
    await closed;
    expect(await received).toMatch(/connection: close[^]*after the signal/i);
  });

  it('also closes a connection whose response had begun before', { timeout: 4_000 }, async () => {
    const { handle, started } = holding();
    const { desk, port } = await open(handle, { graceMs: never });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const received = text(socket);
    const response = await started;
    response.write('before ');
    const closed = desk.close();
    response.end('and after');
    await closed;
    expect(await received).toMatch(/before [^]*and after/);
  });

  it('ends a request that outlasts the grace period', async () => {
    const { handle, started } = holding();
    const { desk, address } = await open(handle, { graceMs: 1 });
    const sent = sendRequest(address);
    const refused = expect(sent).rejects.toThrow();
    await started;
    await desk.close();
    await refused;
  });

  it('accepts no new connection', async () => {
    const { desk, address } = await open(answerAtOnce);
    await desk.close();
    await expect(sendRequest(address)).rejects.toThrow('ECONNREFUSED');
  });

  it('called twice ends at the same time for both callers', async () => {
    const { handle, started } = holding();
    const { desk, address } = await open(handle, { graceMs: never });
    const sent = sendRequest(address);
    const response = await started;
    const order: string[] = [];
    const first = desk.close();
    const second = desk.close().then(() => order.push('closed'));
    setImmediate(() => {
      order.push('answered');
      response.end();
    });
    await Promise.all([first, second, sent]);
    expect(order).toEqual(['answered', 'closed']);
  });
});

it('a port in use is reported as an error', async () => {
  const { port } = await open(answerAtOnce);
  await expect(open(answerAtOnce, { port })).rejects.toThrow('EADDRINUSE');
});
