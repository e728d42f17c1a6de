/**
 * The least that a signing proxy can be: node:http, undici's dispatcher, a signature. Argument: the address it forwards
 * to.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import { signNow } from '../../lib/sign.ts';

const [base = ''] = process.argv.slice(2);

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);
const pool = new Pool(base, { connections: 64, pipelining: 1 });

function forwardTo(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => undefined,
    onResponseStart: (controller, status, headers) => {
      for (const [name, value] of Object.entries(headers)) {
        if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
      }
      response.writeHead(status);
      response.on('drain', () => {
        controller.resume();
      });
    },
    onResponseData: (controller, chunk) => {
      if (!response.write(chunk)) controller.pause();
    },
    onResponseEnd: () => {
      response.end();
    },
    onResponseError: () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    },
  };
}

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  pool.dispatch({ method: 'GET', path, headers: signNow(path) }, forwardTo(response));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
});
