import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { listen, type Served } from '../lib/listen.ts';
import { pages } from './bundle.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** Serves the pages and their orders, compressed once and kept, so that serving costs each contender the same. */
export async function servePages(orders: string): Promise<Served> {
  const kept = new Map<string, Buffer>([['/orders.json', brotliCompressSync(orders)]]);
  const server = createServer(({ url = '/' }, response) => {
    const path = url.endsWith('/') ? `${url}index.html` : url;
    const file = join(pages, path);
    if (!kept.has(path) && existsSync(file))
      kept.set(path, existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : brotliCompressSync(readFileSync(file)));
    const body = kept.get(path);
    if (body === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'content-encoding': 'br',
      'cache-control': 'no-store',
    });
    response.end(body);
  });
  return listen(server);
}
