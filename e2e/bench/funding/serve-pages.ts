import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listen, type Served } from '../lib/listen.ts';
import { pages } from './bundle.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export async function servePages(): Promise<Served> {
  const server = createServer(({ url = '/' }, response) => {
    const file = join(pages, url.endsWith('/') ? `${url}index.html` : url);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'no-store',
      })
      .end(readFileSync(file));
  });
  return listen(server);
}
