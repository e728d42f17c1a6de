import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, sendRaw } from '#testing/http-client.ts';
import { arrivalOf, createFront } from './arrival.ts';
import { createHttpServer, type HttpServer } from './server.ts';
import { securityHeaders } from './send-response.ts';

let desk: HttpServer;
let address = '';
let handled = 0;
const addresses: string[] = [];

beforeAll(async () => {
  const handle = createFront((request, response) => {
    handled += 1;
    addresses.push(arrivalOf(request).address);
    response.end('inside');
    return Promise.resolve();
  });
  desk = createHttpServer({ host: '127.0.0.1', port: 0, handle, report: console.error });
  address = await desk.listen();
});

afterAll(() => desk.close());

describe('a request is accepted', () => {
  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:65535'])(
    'for %s',
    async (host) => {
      const { status, body } = await sendRequest(address, { headers: { host } });
      expect(status).toBe(200);
      expect(body.toString()).toBe('inside');
    },
  );
});

describe('a request is rejected before it is handled', () => {
  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:localhost',
    'localhost:80:80',
    'localhost@evil.example',
    'evil.example/localhost',
    '::1',
    '[::1',
    '[localhost]',
    '10.0.0.1',
    '0.0.0.0',
    ':8080',
  ])('for %s', async (host) => {
    const before = handled;
    const { status, headers } = await sendRequest(address, { headers: { host } });
    expect(status).toBe(421);
    expect(headers).toMatchObject(securityHeaders);
    expect(handled).toBe(before);
  });

  it.each([
    ['without a host', 'GET / HTTP/1.1\r\n\r\n'],
    ['without a host, in the old version', 'GET / HTTP/1.0\r\n\r\n'],
    ['with two hosts', 'GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n'],
    ['for a port that no address can have', 'GET / HTTP/1.1\r\nhost: localhost:65536\r\n\r\n'],
    ['for a port that no address can have, at an IP address', 'GET / HTTP/1.1\r\nhost: [::1]:99999\r\n\r\n'],
    ['with one host twice', 'GET / HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n'],
  ])('%s', async (_, request) => {
    const before = handled;
    const answer = await sendRaw(address, request);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`content-security-policy: ${securityHeaders['content-security-policy']}`);
    expect(handled).toBe(before);
  });
});

it('a client that has reset its connection, so that nothing proves its address, cannot choose one', async () => {
  const before = handled;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 192.0.2.1\r\n\r\n');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  // A later request is handled after them.
  expect((await sendRequest(address)).status).toBe(200);
  expect(addresses.slice(before).filter((each) => each !== '127.0.0.1')).toEqual([]);
});
