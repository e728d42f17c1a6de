import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { securityHeaders } from '../../../../src/gateway/http/security-headers.ts';
import { test as watched } from '../../../watched-page.ts';
import { bundlePages } from '../../lib/bundle-pages.ts';
import { listen, type Served } from '../../lib/listen.ts';

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
const PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Grid</title><link rel="stylesheet" href="/page.css"><link rel="stylesheet" href="/frame.css"><main id="root"></main><script type="module" src="/page.js"></script></html>';
const FRAME = '#root{position:fixed;inset:0;display:flex;flex-direction:column}';

function serveGridPage(folder: string): Promise<Served> {
  const server = createServer(({ url = '/' }, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const { pathname } = new URL(url, 'http://localhost');
    const file = join(folder, pathname);
    if (pathname === '/') response.setHeader('content-type', 'text/html').end(PAGE);
    else if (pathname === '/frame.css') response.setHeader('content-type', 'text/css').end(FRAME);
    else if (existsSync(file)) response.setHeader('content-type', TYPES[extname(file)] ?? '').end(readFileSync(file));
    else response.writeHead(204).end();
  });
  return listen(server);
}

/** Tests of the grid alone, under the policy of the product's page. */
export const test = watched.extend<object, { readonly gridAddress: string }>({
  gridAddress: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'perpdesk-grid-'));
      await bundlePages(folder, { page: join(import.meta.dirname, 'page.tsx') });
      const served = await serveGridPage(folder);
      await use(served.address);
      await served[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ gridAddress }, use) => {
    await use(gridAddress);
  },
});
