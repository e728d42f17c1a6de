import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { artifacts } from '../lib/report.ts';

export const PAGES = ['bare-chart', 'chart', 'empty', 'heatmap'] as const;
export type PageName = (typeof PAGES)[number];

export const pages = join(artifacts, 'funding');

const STYLES = 'html,body{margin:0;block-size:100%}#root{position:absolute;inset:0;font:12px sans-serif}';

/** Builds a page, minified as the product is. */
export async function bundlePage(name: PageName): Promise<void> {
  const folder = join(pages, name);
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: './',
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    // The peers of other benchmarks bring a React of their own, which would be the second one on the page.
    resolve: { dedupe: ['react', 'react-dom'] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'es2024',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { page: join(import.meta.dirname, 'pages', `${name}.tsx`) },
        output: { format: 'es', entryFileNames: '[name].js', assetFileNames: 'page[extname]' },
      },
    },
  });
  const style = readdirSync(folder).includes('page.css') ? '<link rel="stylesheet" href="page.css">' : '';
  writeFileSync(join(folder, 'index.html'), `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${STYLES}</style>${style}<div id="root"></div><script type="module" src="page.js"></script>`);
}
