import { METHODS } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { LAST, openHostile, statusesOf } from './open-hostile.ts';

const hostile = await openHostile();
const others = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method));

beforeEach(() => {
  hostile.venue.forget();
});

const request = (method: string, target: string, fields = ''): string =>
  `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nx-echo: 2b7e\r\n${fields}\r\n`;

describe('the interface only reads', () => {
  it.each(others)('%s is rejected everywhere', async (method) => {
    for (const path of ['/api/orders', '/api/nothing', '/api/desk/status', '/healthz', '/metrics', '/']) {
      const [first] = await hostile.send(request(method, path, 'connection: close\r\n'));
      expect({ path, status: first?.status }).toEqual({ path, status: 405 });
      expect(first?.headers['allow']).toBe('GET, HEAD');
      expect(first?.body).not.toContain('2b7e');
    }
    expect(hostile.venue.requests).toEqual([]);
  });

  it.each(['get', 'Get', 'gET', 'GETT', 'G', 'GE\tT', 'GET\0', 'FOO', 'ORDER', 'DELETE/', '(', 'GET,'])(
    '%j is no method',
    async (method) => {
      const answers = await hostile.send(request(method, '/api/orders') + LAST);
      expect(statusesOf(answers)).toEqual([400]);
      expect(hostile.venue.requests).toEqual([]);
    },
  );

  it.each(['evil.example:443', '127.0.0.1:22', '/api/orders', 'localhost'])(
    'no tunnel is opened to %s',
    async (target) => {
      const answers = await hostile.send(`CONNECT ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n${LAST}`);
      expect(statusesOf(answers)).toSatisfy(
        (statuses: readonly number[]) => statuses.length === 1 && [400, 405].includes(statuses[0] ?? 0),
      );
      expect(hostile.venue.requests).toEqual([]);
    },
  );

  it('OPTIONS * is rejected', async () => {
    expect(statusesOf(await hostile.send(request('OPTIONS', '*') + LAST))[0]).toBe(405);
  });

  it('HEAD works like GET without the body, and reads from the exchange with GET', async () => {
    const path = '/api/funding-rates/?limit=21';
    const [head, ...rest] = await hostile.send(request('HEAD', path, 'connection: close\r\n'), 'HEAD');
    const [get] = await hostile.send(request('GET', path, 'connection: close\r\n'));
    expect(rest).toEqual([]);
    expect(head?.status).toBe(200);
    expect(head?.body).toBe('');
    expect(Object.keys(head?.headers ?? {})).toEqual(Object.keys(get?.headers ?? {}));
    expect(head?.headers).toMatchObject({
      'content-length': get?.headers['content-length'],
      'etag': get?.headers['etag'],
    });
    expect(hostile.venue.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('a rejected HEAD has no body either', async () => {
    for (const path of ['/api/nothing', '/api/orders?limit=0', '/healthz', '/metrics', '/nothing.txt']) {
      const [first, ...rest] = await hostile.send(request('HEAD', path, 'connection: close\r\n'), 'HEAD');
      expect(first?.status).toBeGreaterThanOrEqual(200);
      expect(Number(first?.headers['content-length'])).toBeGreaterThan(0);
      expect(rest).toEqual([]);
    }
  });
});

describe('no other protocol is begun', () => {
  it.each([
    [
      'websocket',
      'connection: Upgrade, close\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ],
    [
      'HTTP/2 without TLS',
      'connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n',
    ],
    ['TLS', 'connection: upgrade, close\r\nupgrade: TLS/1.3\r\n'],
  ])('%s', async (_, fields) => {
    const answers = await hostile.send(request('GET', '/api/funding-rates/?limit=22', fields));
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers[0]?.headers).not.toHaveProperty('upgrade');
    expect(hostile.venue.requests.flatMap(({ headers }) => headers.map(([name]) => name))).not.toContain('upgrade');
  });

  it('HTTP/1.0 works, and the connection is closed', async () => {
    const answers = await hostile.send('GET /api/funding-rates/?limit=23 HTTP/1.0\r\nhost: localhost\r\n\r\n');
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers[0]?.headers['connection']).toBe('close');
  });

  it('HTTP/1.0 without a host is rejected', async () => {
    expect(statusesOf(await hostile.send('GET /api/orders HTTP/1.0\r\n\r\n'))).toEqual([400]);
    expect(hostile.venue.requests).toEqual([]);
  });

  it('any expectation but 100-continue is rejected', async () => {
    expect(statusesOf(await hostile.send(request('GET', '/api/orders', 'expect: 200-ok\r\n') + LAST))[0]).toBe(417);
    expect(hostile.venue.requests).toEqual([]);
  });
});
