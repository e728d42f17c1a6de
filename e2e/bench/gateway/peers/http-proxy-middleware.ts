/** http-proxy-middleware on node:http, which signs what it forwards. Argument: the address it forwards to. */
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { signNow } from '../../lib/sign.ts';

const [target = ''] = process.argv.slice(2);

const forward = createProxyMiddleware({
  target,
  changeOrigin: true,
  agent: new Agent({ keepAlive: true, maxSockets: 64 }),
  on: {
    proxyReq: (outgoing, request) => {
      for (const [name, value] of Object.entries(signNow(request.url ?? ''))) outgoing.setHeader(name, value);
    },
  },
});
const server = createServer((request, response) => {
  forward(request, response, () => response.writeHead(404).end());
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
});
