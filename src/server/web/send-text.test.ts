import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '#testing/http-client.ts';
import { createTextSender, type Compress } from './send-text.ts';

const TEXT = 'a text of the gateway '.repeat(100);

async function open(compress: Compress): Promise<string> {
  const sendText = createTextSender(compress);
  const send = (request: IncomingMessage, response: ServerResponse): void => {
    sendText(request, response, {
      status: 200,
      type: 'text/plain',
      text: TEXT,
      requestId: 'r1',
      access: 'public',
      headers: {},
    }).catch(() => {
      response.writeHead(500).end();
    });
  };
  const server = createServer(send);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

const gzipped = { path: '/', headers: { 'accept-encoding': 'gzip' } };

test('a failed compression is not remembered', async () => {
  let calls = 0;
  const address = await open((body) => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('out of memory')) : Promise.resolve(gzipSync(body));
  });
  expect((await sendRequest(address, gzipped)).status).toBe(500);
  for (const request of [1, 2]) {
    const { status, body } = await sendRequest(address, gzipped);
    expect({ request, status, text: gunzipSync(body).toString() }).toEqual({ request, status: 200, text: TEXT });
  }
  expect(calls).toBe(2);
});
