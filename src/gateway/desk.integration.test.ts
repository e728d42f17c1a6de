import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, sendRaw } from '#testing/ask.ts';
import { createDesk } from './desk.ts';
import type { Desk, DeskConfig } from './desk.ts';
import type { Handler } from './handler.ts';
import { securityHeaders } from './security-headers.ts';

/** Longer than any test may take: a close that waits for it never comes back in time. */
const never = 1_000_000;
const opened: Desk[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((desk) => desk.close()));
});

async function open(handle: Handler, config: Partial<DeskConfig> = {}) {
  const reported: unknown[] = [];
  const desk = createDesk({ host: '127.0.0.1', port: 0, handle, report: (error) => reported.push(error), ...config });
  const address = await desk.listen();
  opened.push(desk);
  return { desk, address, port: Number(new URL(address).port), reported };
}

const answerAtOnce: Handler = (_, response) => {
  response.end('done');
  return undefined;
};

/** Keeps every response until the test ends it. */
function holding() {
  const started = Promise.withResolvers<ServerResponse>();
  const handle: Handler = (_, response) => {
    started.resolve(response);
    return undefined;
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

  it.each(cases)('%s is answered for and reported', async (_, handle) => {
    const { address, reported } = await open(handle);
    const { status, headers, body } = await ask(address);
    expect(status).toBe(500);
    expect(headers).toMatchObject(securityHeaders);
    expect(body.toString()).not.toContain('secret');
    expect(reported).toEqual([failure]);
  });

  it('in the middle of an answer ends the connection, so that half an answer is not taken for a whole', async () => {
    const { address, reported } = await open((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      throw failure;
    });
    await expect(ask(address)).rejects.toThrow();
    expect(reported).toEqual([failure]);
  });
});

describe('what is no request', () => {
  it.each([
    [400, 'HELLO\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    [405, 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n'],
    [417, 'GET / HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nhost: localhost\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is refused with %i under our headers, and the connection ended', async (status, bytes) => {
    const { address } = await open(answerAtOnce);
    const answer = await sendRaw(address, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`content-security-policy: ${securityHeaders['content-security-policy']}`);
    expect(answer).not.toContain('done');
  });
});

describe('a refused tunnel', () => {
  const tunnel = 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n';

  it('that the client resets harms nobody else', async () => {
    const { address, port } = await open(answerAtOnce);
    const socket = connect(port, '127.0.0.1');
    socket.write(tunnel);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await ask(address)).status).toBe(200);
  });

  it('that the client keeps open is ended', async () => {
    const { port } = await open(answerAtOnce);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    socket.on('error', () => undefined).on('data', (piece) => received.push(piece)).write(tunnel);
    await once(socket, 'end');
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 405 /);
    const writing = setInterval(() => socket.write('still here'), 50);
    await expect.poll(() => socket.destroyed).toBe(true);
    clearInterval(writing);
  });
});

it('a client that drips its request is given up', async () => {
  const { address } = await open(answerAtOnce, { headersTimeoutMs: 20 });
  expect(await sendRaw(address, 'GET / HTTP/1.1\r\nhost: loc')).toMatch(/^HTTP\/1\.1 408 /);
});

it('a client that does not take its answer is given up', async () => {
  const closed: Promise<unknown>[] = [];
  const { port } = await open(
    (_request, response) => {
      closed.push(once(response, 'close'));
      response.end(Buffer.alloc(32_000_000));
      return undefined;
    },
    { idleTimeoutMs: 100 },
  );
  const socket = connect({ port, host: '127.0.0.1' });
  socket.pause().on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => closed).toHaveLength(1);
  await closed[0];
  socket.destroy();
});

it.each(['HELLO', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443'])('%j, sent behind a request, puts nothing into the answer to that one, and ends the connection after it', async (behind) => {
  const { handle, started } = holding();
  const { address } = await open(handle);
  const received = sendRaw(address, `GET / HTTP/1.1\r\nhost: localhost\r\n\r\n${behind}\r\n\r\n`);
  (await started).end('done');
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\ndone$/);
});

it('a refusal reaches a client that goes on sending', async () => {
  const { address } = await open(answerAtOnce);
  expect(await sendRaw(address, `GET /${'a'.repeat(2_000_000)} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
});

describe('closing', () => {
  it('does not wait for connections on which nothing is asked', async () => {
    // Nor does a time-out end one while it is looked at.
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
    await expect.poll(() => [...closed, ...sockets.map(({ destroyed }) => destroyed)]).toEqual(['desk', true, true, true]);
  });

  // Less than Node keeps an idle connection by itself.
  it('lets a request in progress finish, then ends its connection', { timeout: 4_000 }, async () => {
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

  it('ends a connection too whose answer had begun before', { timeout: 4_000 }, async () => {
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

  it('ends a request that outlasts the grace', async () => {
    const { handle, started } = holding();
    const { desk, address } = await open(handle, { graceMs: 1 });
    const asked = ask(address);
    const refused = expect(asked).rejects.toThrow();
    await started;
    await desk.close();
    await refused;
  });

  it('accepts nobody new', async () => {
    const { desk, address } = await open(answerAtOnce);
    await desk.close();
    await expect(ask(address)).rejects.toThrow('ECONNREFUSED');
  });

  it('asked for twice is over for both at the same time', async () => {
    const { handle, started } = holding();
    const { desk, address } = await open(handle, { graceMs: never });
    const asked = ask(address);
    const response = await started;
    const order: string[] = [];
    const first = desk.close();
    const second = desk.close().then(() => order.push('closed'));
    setImmediate(() => {
      order.push('answered');
      response.end();
    });
    await Promise.all([first, second, asked]);
    expect(order).toEqual(['answered', 'closed']);
  });
});

it('a port that is taken is an error to whom asked for it', async () => {
  const { port } = await open(answerAtOnce);
  await expect(open(answerAtOnce, { port })).rejects.toThrow('EADDRINUSE');
});
