import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { securityHeaders } from '../../../../src/gateway/security-headers.ts';
import { test as watched } from '../../../watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'artifacts', 'grid-page');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
const PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Grid</title><link rel="stylesheet" href="/page.css"><link rel="stylesheet" href="/frame.css"><main id="root"></main><script type="module" src="/page.js"></script></html>';
const FRAME = '#root{position:fixed;inset:0;display:flex;flex-direction:column}';

async function serveGridPage() {
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    // The peers of the benchmarks bring a React of their own.
    resolve: { dedupe: ['react', 'react-dom'] },
    build: {
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2024',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { page: join(import.meta.dirname, 'page.tsx') },
        output: { format: 'es', entryFileNames: '[name].js', assetFileNames: 'page[extname]' },
      },
    },
  });
  const server = createServer(({ url = '/' }, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const { pathname } = new URL(url, 'http://localhost');
    const file = join(folder, pathname);
    if (pathname === '/') response.setHeader('content-type', 'text/html').end(PAGE);
    else if (pathname === '/frame.css') response.setHeader('content-type', 'text/css').end(FRAME);
    else if (existsSync(file)) response.setHeader('content-type', TYPES[extname(file)] ?? '').end(readFileSync(file));
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

/** Tests of the grid alone, under the policy of the product's page. */
export const test = watched.extend<object, { readonly gridAddress: string }>({
  gridAddress: [
    async ({}, use) => {
      const { server, address } = await serveGridPage();
      await use(address);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ gridAddress }, use) => {
    await use(gridAddress);
  },
});
