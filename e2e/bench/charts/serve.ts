import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listen, type Served } from '../lib/listen.ts';
import { pages } from './bundle.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.txt': 'text/plain',
};

/** Serves the pages, and fixed API responses by path. */
export async function serve(responses: ReadonlyMap<string, string>): Promise<Served> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, search } = new URL(url, 'http://localhost');
    const body = responses.get(pathname + search) ?? responses.get(pathname);
    const file = join(pages, pathname);
    if (body !== undefined) {
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'cache-status': 'perpdesk; hit; ttl=600',
        })
        .end(body);
    } else if (existsSync(file) && extname(file) in TYPES) {
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)], 'cache-control': 'no-store' })
        .end(readFileSync(file));
    } else {
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
    }
  });
  return listen(server);
}
