import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { asyncProperty, array, assert, constantFrom } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, sendRaw } from '#testing/http-client.ts';
import { createStaticFiles, readAppFiles } from './app-files.ts';
import { createHttpServer, type HttpServer } from './server.ts';
import { splitTarget } from './request-context.ts';
import { securityHeaders } from './send-response.ts';

const page = '<!doctype html><title>The page</title>';
const ownPage = '<!doctype html><title>The page of a screen</title>';
const script = 'export const answer = 42;';
const folder = mkdtempSync(join(tmpdir(), 'perpdesk-static-'));
let server: HttpServer;
let address = '';
const reported: unknown[] = [];

beforeAll(async () => {
  const app = join(folder, 'app');
  mkdirSync(join(app, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'the secret');
  writeFileSync(join(app, '.inputs'), 'the secret');
  writeFileSync(join(app, 'index.html'), page);
  writeFileSync(join(app, 'index.html.br'), brotliCompressSync(page));
  writeFileSync(join(app, 'index.html.gz'), gzipSync(page));
  mkdirSync(join(app, 'orders'));
  mkdirSync(join(app, 'funding'));
  writeFileSync(join(app, 'funding', 'one.html'), ownPage);
  writeFileSync(join(app, 'orders', 'history.html'), ownPage);
  writeFileSync(join(app, 'assets', 'index-AbCd1234.js'), script);
  const serve = createStaticFiles(
    readAppFiles(app) ?? new Map(),
    new Set(['api', 'healthz', 'metrics', 'readyz']),
    (path) => Promise.resolve(path.includes('later') ? Buffer.from(`of ${path}`) : undefined),
  );
  server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    handle: (request, response) => serve(request, response, splitTarget(request.url ?? '').path),
    report: (error) => reported.push(error),
  });
  address = await server.listen();
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
  expect(reported).toEqual([]);
});

describe('the page', () => {
  it.each(['/', '/orders', '/price/PBTCUCZ50', '/funding', '/orders?account=A1', '/price/a/b/c?x=/../y'])(
    'is served at %s, which could be a screen',
    async (path) => {
      const { status, headers, body } = await sendRequest(address, { path });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body.toString()).toBe(page);
    },
  );

  it.each(['/orders/history', '/orders/history/', '/orders/history/7674028327896836522?order=asc', '/funding/BTCUC'])(
    'is the screen’s own at %s',
    async (path) => {
      expect((await sendRequest(address, { path })).body.toString()).toBe(ownPage);
    },
  );

  it('is revalidated each time, and has the security headers', async () => {
    const { headers } = await sendRequest(address);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers).toMatchObject(securityHeaders);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (body: Buffer) => body],
  ] as const)('is sent as %s on request', async (coding, decode) => {
    const { headers, body } = await sendRequest(address, { headers: { 'accept-encoding': coding } });
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    expect(headers['content-length']).toBe(String(body.byteLength));
    expect(headers.vary).toBe('accept-encoding');
    expect(decode(body).toString()).toBe(page);
  });
});

describe('an asset', () => {
  it('is immutable, since its name changes with its content', async () => {
    const { status, headers, body } = await sendRequest(address, { path: '/assets/index-AbCd1234.js' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers.vary).toBeUndefined();
    expect(body.toString()).toBe(script);
  });

  it('may be of another version, unlike a file of any other name', async () => {
    const { status, headers, body } = await sendRequest(address, { path: '/assets/later-AbCd1234.js' });
    expect([status, headers['content-type'], headers['cache-control'], body.toString()]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'of /assets/later-AbCd1234.js',
    ]);
    expect((await sendRequest(address, { path: '/assets/later.js' })).status).toBe(404);
    expect((await sendRequest(address, { path: '/later-AbCd1234.js' })).status).toBe(404);
  });

  it.each(['bytes=0-3', 'bytes=5-2', 'bytes=9999-'])('is sent whole if %s is requested', async (range) => {
    const { status, headers, body } = await sendRequest(address, {
      path: '/assets/index-AbCd1234.js',
      headers: { range },
    });
    expect(status).toBe(200);
    expect(headers['content-length']).toBe(String(body.byteLength));
    expect(body.toString()).toBe(script);
  });

  it('is sent uncompressed if the build has no compressed form', async () => {
    const { headers, body } = await sendRequest(address, {
      path: '/assets/index-AbCd1234.js',
      headers: { 'accept-encoding': 'br' },
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe(script);
  });
});

describe('revalidation', () => {
  it('returns 304 without a body if the client has the file', async () => {
    const first = await sendRequest(address);
    const again = await sendRequest(address, { headers: { 'if-none-match': first.headers.etag ?? '' } });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers).toMatchObject({
      'etag': first.headers.etag,
      'cache-control': 'no-cache',
      'vary': 'accept-encoding',
    });
  });

  it('returns the file if the client has another coding of it, or another file', async () => {
    const { headers } = await sendRequest(address, { headers: { 'accept-encoding': 'br' } });
    const held = { 'if-none-match': headers.etag ?? '' };
    expect((await sendRequest(address, { headers: { ...held, 'accept-encoding': 'gzip' } })).status).toBe(200);
    expect((await sendRequest(address, { headers: { 'if-none-match': '"old"' } })).status).toBe(200);
  });
});

describe('methods', () => {
  it('HEAD gets the headers of GET and no body', async () => {
    const got = await sendRequest(address);
    const { status, headers, body } = await sendRequest(address, { method: 'HEAD' });
    expect(status).toBe(200);
    expect(body).toHaveLength(0);
    expect(headers['content-length']).toBe(got.headers['content-length']);
    expect(headers.etag).toBe(got.headers.etag);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s is refused by name of what is allowed',
    async (method) => {
      const { status, headers } = await sendRequest(address, { method });
      expect(status).toBe(405);
      expect(headers.allow).toBe('GET, HEAD');
      expect(headers).toMatchObject(securityHeaders);
    },
  );

  it('does not wait for the body of a rejected request', async () => {
    const answer = await sendRaw(address, 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000000\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*\r\nconnection: close\r\n/i);
  });
});

describe('nothing is found', () => {
  it.each([
    '/missing.js',
    '/assets/missing-AbCd1234.js',
    '/assets/',
    '/assets',
    '/index.html.br',
    '/.inputs',
    '/.git/config',
    '/api/orders',
    '/API/orders',
    '/healthz',
    '/metrics',
  ])('at %s', async (path) => {
    const { status, headers } = await sendRequest(address, { path });
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).toMatchObject(securityHeaders);
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/assets/%00/../../secret.txt',
    '//secret.txt',
    '/./index.html',
    '/assets/../index.html',
    '/index.html%00.js',
    'http://127.0.0.1/../secret.txt',
    '*',
  ])('outside of the app, by way of %s', async (path) => {
    const { status, body } = await sendRequest(address, { path });
    expect(status).toBe(404);
    expect(body.toString()).toBe('Nothing found at this address.\n');
  });

  it('outside of the app, whatever the path is made of', async () => {
    const parts = constantFrom(
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2F',
      '\\',
      '%5c',
      '%00',
      ';',
      'assets',
      'secret.txt',
      '.inputs',
      'index.html',
    );
    await assert(
      asyncProperty(array(parts, { maxLength: 8 }), async (chosen) => {
        const { status, body } = await sendRequest(address, { path: `/${chosen.join('')}` });
        expect([200, 404]).toContain(status);
        expect(body.toString()).not.toContain('secret');
      }),
      { numRuns: 300 },
    );
  });

  it('HEAD gets the status without a body', async () => {
    const { status, headers, body } = await sendRequest(address, { method: 'HEAD', path: '/missing.js' });
    expect(status).toBe(404);
    expect(body).toHaveLength(0);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('a build that replaces the app', () => {
  it('does not change what is served before a restart: the page keeps the files that it names', async () => {
    const app = join(folder, 'app');
    rmSync(app, { recursive: true });
    mkdirSync(app);
    writeFileSync(join(app, 'index.html'), `${page} of the next build`);
    expect((await sendRequest(address)).body.toString()).toBe(page);
    const { status, body } = await sendRequest(address, { path: '/assets/index-AbCd1234.js' });
    expect(status).toBe(200);
    expect(body.toString()).toBe(script);
  });
});
