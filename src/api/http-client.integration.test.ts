import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS } from '#contract/problems.ts';
import { NetworkError, ProblemError, StrangeAnswerError } from './errors.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

const NOW = 1_700_000_000_000;
let servers: Server[] = [];

/** A client before something that says whatever the test wants, on a real socket. */
async function clientOf(speak: (socket: Socket, request: string) => void, limit = (ms: number) => AbortSignal.timeout(ms)): Promise<HttpClient> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      speak(socket, bytes.toString());
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return createHttpClient({ fetch: (target, init) => fetch(`http://127.0.0.1:${String(port)}${target}`, init), now: () => NOW, limit });
}

const answering = (text: string) => (socket: Socket) => socket.end(text.replaceAll('\n', '\r\n'));

function http(status: string, headers: readonly string[], body: string): string {
  return [`HTTP/1.1 ${status}`, ...headers, `content-length: ${String(Buffer.byteLength(body))}`, 'connection: close', '', body].join('\n');
}

afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

describe('a good answer', () => {
  it('comes with what its headers prove', async () => {
    const headers = ['age: 7', 'cache-status: perpdesk; hit; ttl=3', 'desk-answered-at: 2026-11-20T00:00:00.123Z', 'desk-request-id: r-1', 'etag: "t"'];
    const client = await clientOf(answering(http('200 OK', headers, '[]')));
    expect(await client.get('/api/x', {})).toEqual({
      text: '[]',
      receivedAt: NOW,
      answeredAt: '2026-11-20T00:00:00.123Z',
      ageSeconds: 7,
      requestId: 'r-1',
      tag: '"t"',
      cache: 'memory',
      freshSeconds: 3,
      staleBecause: null,
    });
  });

  it('is asked for with its purpose, and with none where none is known', async () => {
    const heads: string[] = [];
    const client = await clientOf((socket, request) => {
      heads.push(request);
      answering(http('200 OK', [], '[]'))(socket);
    });
    await client.get('/api/x?a=1', { purpose: 'prefetch' });
    await client.get('/api/x', {});
    expect(heads[0]).toMatch(/^GET \/api\/x\?a=1 HTTP\/1\.1\r\n[^]*desk-purpose: prefetch\r\n/);
    expect(heads[1]).not.toMatch(/desk-purpose/);
  });

  it('proves nothing by headers that make no sense', async () => {
    const client = await clientOf(answering(http('200 OK', ['age: soon', 'desk-answered-at: yesterday', 'cache-status: ???'], '[]')));
    expect(await client.get('/api/x', {})).toMatchObject({ ageSeconds: null, answeredAt: null, cache: 'unknown', freshSeconds: null });
  });
});

describe('a failure', () => {
  const document = { type: `${PROBLEM_PREFIX}budget-spent`, ...PROBLEMS['budget-spent'], detail: 'Wait for 187 s.', instance: 'r-2', retryAfter: 187 };

  it('is the problem that the desk tells, with when to ask again', async () => {
    const client = await clientOf(answering(http('429 Too Many Requests', ['content-type: application/problem+json'], JSON.stringify(document))));
    const error = await client.get('/api/x', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ type: 'budget-spent', message: 'Wait for 187 s.', retryAt: NOW + 187_000, document });
  });

  it('takes Retry-After where the document does not say it, and a type it does not know', async () => {
    const without = { ...document, type: 'about:blank', retryAfter: undefined };
    const client = await clientOf(answering(http('503 Away', ['content-type: application/problem+json', 'retry-after: 5'], JSON.stringify(without))));
    await expect(client.get('/api/x', {})).rejects.toMatchObject({ name: 'ProblemError', type: null, retryAt: NOW + 5_000 });
  });

  it.each([
    ['a proxy’s page', http('502 Bad Gateway', ['content-type: text/html'], '<html>')],
    ['a problem that is none', http('500 Oh', ['content-type: application/problem+json'], '{"oops":true}')],
  ])('is a stranger’s answer where it is %s', async (_, text) => {
    const client = await clientOf(answering(text));
    await expect(client.get('/api/x', {})).rejects.toBeInstanceOf(StrangeAnswerError);
  });

  it.each([
    ['nobody listens', (socket: Socket) => socket.resetAndDestroy()],
    ['the answer breaks off', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2')],
    ['it is no HTTP', (socket: Socket) => socket.end('hello\r\n\r\n')],
    ['it leads elsewhere', answering(http('302 Found', ['location: http://127.0.0.1:9/'], ''))],
  ])('is the network’s where %s', async (_, speak) => {
    const client = await clientOf(speak);
    await expect(client.get('/api/x', {})).rejects.toBeInstanceOf(NetworkError);
  });

  it.each([
    [true, 5_000],
    [false, 120_000],
  ])('is the network’s where the desk has stopped in its work (of its own: %s)', async (isOwn, longest) => {
    const limits: number[] = [];
    const late = new AbortController();
    const client = await clientOf(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2', () => {
          late.abort();
        });
      },
      (ms) => {
        limits.push(ms);
        return late.signal;
      },
    );
    await expect(client.get('/api/x', { isOwn, signal: new AbortController().signal })).rejects.toBeInstanceOf(NetworkError);
    expect(limits).toEqual([longest]);
  });

  it('is none where the page itself gave up', async () => {
    const gone = Promise.withResolvers<undefined>();
    const abort = new AbortController();
    const client = await clientOf((socket) => {
      socket.once('close', () => {
        gone.resolve(undefined);
      });
      abort.abort(new Error('nobody looks'));
    });
    await expect(client.get('/api/x', { signal: abort.signal })).rejects.toThrow('nobody looks');
    await gone.promise;
  });
});
