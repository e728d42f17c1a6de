import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { pages } from './bundle.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };

interface Served extends AsyncDisposable {
  readonly address: string;
}

/** The pages and their orders, compressed once and kept, so that serving costs each contender the same. */
export async function servePages(orders: string): Promise<Served> {
  const kept = new Map<string, Buffer>([['/orders.json', brotliCompressSync(orders)]]);
  const server = createServer(({ url = '/' }, response) => {
    const path = url.endsWith('/') ? `${url}index.html` : url;
    const file = join(pages, path);
    if (!kept.has(path) && existsSync(file)) kept.set(path, existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : brotliCompressSync(readFileSync(file)));
    const body = kept.get(path);
    if (body === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-encoding': 'br', 'cache-control': 'no-store' });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
