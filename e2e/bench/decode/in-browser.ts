import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { chromium } from '@playwright/test';
import { securityHeaders } from '../../../src/server/web/send-response.ts';
import { findBrowser } from '../../../src/tools/browser.ts';
import { bundles } from './bundle.ts';
import type { Measured } from './measure.ts';

export interface PageMeter extends AsyncDisposable {
  readonly browser: string;
  readonly measure: (contender: string, rows: number) => Promise<Measured>;
}

type Result = Measured | { readonly error: string };

/** Creates pages in a real browser, served under the policy of the product's own page. */
export async function createPageMeter(ordersFile: string): Promise<PageMeter> {
  const found = await findBrowser();
  if ('problem' in found) throw new Error(found.problem);
  const results = Promise.withResolvers<Result>();
  let next = results;
  const server = createServer((request, response) => {
    void answer(request, response, ordersFile, (result) => {
      next.resolve(result);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: found.path, args: asRoot });

  return {
    browser: `Chromium ${browser.version()}`,
    measure: async (contender, rows) => {
      next = Promise.withResolvers<Result>();
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${String(port)}/?contender=${contender}&rows=${String(rows)}`);
      const result = await next.promise;
      await context.close();
      if ('error' in result) throw new Error(`${contender}: ${result.error}`);
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      server.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  ordersFile: string,
  take: (result: Result) => void,
): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  if (request.method === 'POST') {
    take(JSON.parse(await text(request)) as Result);
    response.writeHead(204).end();
  } else if (path === '/') {
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><script type="module" src="/page.js"></script>');
  } else if (path === '/orders.json') {
    response.setHeader('content-type', 'application/json').end(readFileSync(ordersFile));
  } else if (/^\/[a-z]+\.js$/.test(path)) {
    response.setHeader('content-type', 'text/javascript').end(readFileSync(join(bundles, path)));
  } else {
    response.writeHead(404).end();
  }
}
