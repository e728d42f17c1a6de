import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { DeskProducts } from '../../../src/contract/desk/desk.ts';
import { bundlePages } from '../lib/bundle-pages.ts';
import { listen, type Served } from '../lib/listen.ts';
import { artifacts } from '../lib/report.ts';

const folder = join(artifacts, 'bare-chart');
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A chart alone</title><meta name="viewport" content="width=device-width">
<meta name="description" content="A chart alone"><body><main><h1>A product</h1></main><script type="module" src="/bare-chart.js"></script>`;
const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};
/** The data that the price screen shows at first. */
const DAYS = 183;

/** Builds a page with the chart of the price screen and nothing around it: no page with that chart can do better. */
export async function serveBareChart(desk: string): Promise<Served> {
  await bundlePages(folder, { 'bare-chart': join(import.meta.dirname, 'pages', 'bare-chart.ts') });
  const files = new Map([
    ...(await readFigures(desk)),
    ['/bare-chart.js', readFileSync(join(folder, 'bare-chart.js'), 'utf8')],
    ['/', PAGE],
  ]);
  const packed = new Map([...files].map(([path, text]) => [path, brotliCompressSync(text)]));
  const server = createServer(({ url = '/' }, response) => {
    const body = packed.get(url);
    response
      .writeHead(
        body === undefined ? 204 : 200,
        body && { 'content-type': TYPES[extname(url)], 'content-encoding': 'br' },
      )
      .end(body);
  });
  return listen(server);
}

async function readFigures(desk: string): Promise<[path: string, text: string][]> {
  const read = async (target: string): Promise<string> => (await fetch(new URL(target, desk))).text();
  const { products } = JSON.parse(await read('/api/desk/products')) as DeskProducts;
  const id = products.find(({ type }) => type === 'perpetual')?.product_id;
  const from = new Date(Date.now() - DAYS * 86_400_000).toISOString().replace(/[.].*/, 'Z');
  return [
    ['/prices.json', await read(`/api/web/charts/price/${String(id)}?begin_time=${from}`)],
    ['/voi.json', await read(`/api/web/charts/voi?product_id=${String(id)}&begin_time=${from}`)],
  ];
}
