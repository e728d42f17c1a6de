import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS } from '#contract/desk/problems.ts';
import { NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';
import { createHttpClient, type HttpClient, type HttpClientDeps } from './http-client.ts';

const NOW = 1_700_000_000_000;
let servers: Server[] = [];

/** Returns a client connected to a real socket that sends whatever the test specifies. */
async function connectClient(
  respond: (socket: Socket, request: string) => void,
  timeout = (ms: number) => AbortSignal.timeout(ms),
  access?: HttpClientDeps['access'],
): Promise<HttpClient> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      respond(socket, bytes.toString());
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return createHttpClient({
    fetch: (target, init) => fetch(`http://127.0.0.1:${String(port)}${target}`, init),
    now: () => NOW,
    timeout,
    ...(access && { access }),
  });
}

const respondWith = (text: string) => (socket: Socket) => socket.end(text.replaceAll('\n', '\r\n'));

function http(status: string, headers: readonly string[], body: string): string {
  return [
    `HTTP/1.1 ${status}`,
    ...headers,
    `content-length: ${String(Buffer.byteLength(body))}`,
    'connection: close',
    '',
    body,
  ].join('\n');
}

afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

describe('a successful response', () => {
  it('carries the provenance of its headers', async () => {
    const headers = [
      'age: 7',
      'cache-status: perpdesk; hit; ttl=3',
      'desk-answered-at: 2026-11-20T00:00:00.123Z',
      'desk-request-id: r-1',
      'desk-venue-time: 2026-11-20T00:00:01.456Z',
      'etag: "t"',
    ];
    const client = await connectClient(respondWith(http('200 OK', headers, '[]')));
    expect(await client.get('/api/x', {})).toEqual({
      text: '[]',
      receivedAt: NOW,
      venueTime: Date.parse('2026-11-20T00:00:01.456Z'),
      respondedAt: '2026-11-20T00:00:00.123Z',
      ageSeconds: 7,
      requestId: 'r-1',
      tag: '"t"',
      cache: 'hit',
      freshSeconds: 3,
      staleBecause: null,
    });
  });

  it('was requested with its purpose, and without one where none is given', async () => {
    const heads: string[] = [];
    const client = await connectClient((socket, request) => {
      heads.push(request);
      respondWith(http('200 OK', [], '[]'))(socket);
    });
    await client.get('/api/x?a=1', { purpose: 'prefetch' });
    await client.get('/api/x', {});
    expect(heads[0]).toMatch(/^GET \/api\/x\?a=1 HTTP\/1\.1\r\n[^]*desk-purpose: prefetch\r\n/);
    expect(heads[1]).not.toMatch(/desk-purpose/);
  });

  it('has no provenance where its headers are invalid', async () => {
    const client = await connectClient(
      respondWith(
        http('200 OK', ['age: soon', 'desk-answered-at: yesterday', 'desk-venue-time: now', 'cache-status: ???'], '[]'),
      ),
    );
    expect(await client.get('/api/x', {})).toMatchObject({
      ageSeconds: null,
      respondedAt: null,
      venueTime: null,
      cache: 'unknown',
      freshSeconds: null,
    });
  });
});

describe('a failure', () => {
  const document = {
    type: `${PROBLEM_PREFIX}budget-spent`,
    ...PROBLEMS['budget-spent'],
    detail: 'Wait for 187 s.',
    instance: 'r-2',
    retryAfter: 187,
  };

  it('is the problem document of the desk, with the time to retry', async () => {
    const client = await connectClient(
      respondWith(http('429 Too Many Requests', ['content-type: application/problem+json'], JSON.stringify(document))),
    );
    const error = await client.get('/api/x', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ type: 'budget-spent', message: 'Wait for 187 s.', retryAt: NOW + 187_000, document });
  });

  it('falls back to Retry-After without a time in the document, and accepts an unknown type', async () => {
    const without = { ...document, type: 'about:blank', retryAfter: undefined };
    const client = await connectClient(
      respondWith(
        http('503 Away', ['content-type: application/problem+json', 'retry-after: 5'], JSON.stringify(without)),
      ),
    );
    await expect(client.get('/api/x', {})).rejects.toMatchObject({
      name: 'ProblemError',
      type: null,
      retryAt: NOW + 5_000,
    });
  });

  it.each([
    ['a proxy’s error page', http('502 Bad Gateway', ['content-type: text/html'], '<html>')],
    ['an invalid problem document', http('500 Oh', ['content-type: application/problem+json'], '{"oops":true}')],
  ])('is an unexpected response where it is %s', async (_, text) => {
    const client = await connectClient(respondWith(text));
    await expect(client.get('/api/x', {})).rejects.toBeInstanceOf(UnexpectedResponseError);
  });

  it.each([
    ['the connection is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['the response is cut off', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2')],
    ['the response is not HTTP', (socket: Socket) => socket.end('hello\r\n\r\n')],
    ['the response redirects', respondWith(http('302 Found', ['location: http://127.0.0.1:9/'], ''))],
  ])('is a network error where %s', async (_, respond) => {
    const client = await connectClient(respond);
    await expect(client.get('/api/x', {})).rejects.toBeInstanceOf(NetworkError);
  });

  it.each([
    [true, 5_000],
    [false, 120_000],
  ])('is a network error where the desk hangs past the deadline (local: %s)', async (isLocal, expected) => {
    const timeouts: number[] = [];
    const deadline = new AbortController();
    const client = await connectClient(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2', () => {
          deadline.abort();
        });
      },
      (ms) => {
        timeouts.push(ms);
        return deadline.signal;
      },
    );
    await expect(client.get('/api/x', { isLocal, signal: new AbortController().signal })).rejects.toBeInstanceOf(
      NetworkError,
    );
    expect(timeouts).toEqual([expected]);
  });

  it('is none where the caller aborts', async () => {
    const gone = Promise.withResolvers<undefined>();
    const abort = new AbortController();
    const client = await connectClient((socket) => {
      socket.once('close', () => {
        gone.resolve(undefined);
      });
      abort.abort(new Error('no longer needed'));
    });
    await expect(client.get('/api/x', { signal: abort.signal })).rejects.toThrow('no longer needed');
    await gone.promise;
  });
});

describe('where people sign in', () => {
  it('sends the headers of the session with each action, and with no read', async () => {
    const seen: string[] = [];
    const access = { headers: () => ({ 'desk-forgery-token': 'f-1' }), check: () => Promise.resolve() };
    const client = await connectClient(
      (socket, request) => {
        seen.push(request.toLowerCase());
        respondWith(http('200 OK', [], '{}'))(socket);
      },
      undefined,
      access,
    );
    await client.send('/api/x', { method: 'POST', headers: { accept: 'application/json' } });
    await client.get('/api/x', {});
    expect(
      seen.map((request) => [
        request.includes('desk-forgery-token: f-1'),
        request.includes('accept: application/json'),
      ]),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it.each([
    ['401 Unauthorized', 1],
    ['403 Forbidden', 1],
    ['404 Not Found', 0],
    ['200 OK', 0],
  ])('reads again who is signed in after %s: %i time', async (status, times) => {
    let checks = 0;
    const access = { headers: () => ({}), check: () => Promise.resolve(void (checks += 1)) };
    const client = await connectClient(respondWith(http(status, [], '{}')), undefined, access);
    await client.get('/api/x', {}).catch(() => undefined);
    expect(checks).toBe(times);
  });
});
