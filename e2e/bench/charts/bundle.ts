import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { root } from '../../../src/tools/paths.mjs';
import { artifacts } from '../lib/report.ts';

export const pages = join(artifacts, 'charts');
export const PAGES = { price: 'price.tsx', bare: 'bare.ts', markets: 'markets.tsx', static: 'static.ts' } as const;
export type PageName = keyof typeof PAGES;

/** As the shell places a screen: below a bar, as high as the window. */
const FRAME = '#root{position:absolute;inset:40px 0 0;overflow:auto}';

/** Builds all pages at once, minified as the product is, so that what they share has the same names in each. */
export async function bundlePages(): Promise<void> {
  mkdirSync(pages, { recursive: true });
  const inputs = Object.entries(PAGES).map(([name, file]) => [name, join(import.meta.dirname, 'pages', file)] as const);
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [react()],
    // Peers of other benchmarks bring a React of their own, which would be the second one on the page.
    resolve: { dedupe: ['react', 'react-dom'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: pages,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'es2024',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: Object.fromEntries(inputs),
        output: { format: 'es', entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  });
  const style = readdirSync(pages).find((file) => file.endsWith('.css')) ?? '';
  for (const [name] of inputs) {
    const head = `<!doctype html><meta charset="utf-8"><title>${name}</title><link rel="stylesheet" href="/${style}"><style>${FRAME}</style>`;
    writeFileSync(join(pages, `${name}.html`), `${head}<div id="root"></div><script type="module" src="/${name}.js"></script>`);
  }
}
