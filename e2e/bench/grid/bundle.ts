import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { artifacts } from '../lib/report.ts';

export const pages = join(artifacts, 'grid');

const STYLES = `html,body{margin:0;block-size:100%}
#root{--type-data:12px/16px sans-serif;--type-label:11px/16px sans-serif;position:absolute;inset:0;display:flex;flex-direction:column;font:12px sans-serif}
.fill{position:absolute;inset:0;display:flex;flex-direction:column}`;

/** The product's grid without React and without the table library. */
export async function measureOwnPart(): Promise<number> {
  const folder = join(pages, 'own-part');
  await bundle(folder, 'own-part.ts', [/^react/, /^@tanstack/]);
  return sizeOf(folder);
}

/** Builds a contender's page, minified as the product is, and gives what a browser fetches of it, as it is sent. */
export async function bundlePage(name: string, entry: string): Promise<number> {
  const folder = join(pages, name);
  await bundle(folder, entry, []);
  const style = readdirSync(folder).includes('page.css') ? '<link rel="stylesheet" href="page.css">' : '';
  const script = '<script type="module" src="page.js"></script>';
  writeFileSync(join(folder, 'index.html'), `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${STYLES}</style>${style}<div id="root"></div>${script}`);
  return sizeOf(folder);
}

function sizeOf(folder: string): number {
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + compress(join(folder, file)), 0);
}

/** Written beside the script, for the server: to compress the largest peer takes seconds. */
function compress(file: string): number {
  const compressed = brotliCompressSync(readFileSync(file));
  writeFileSync(`${file}.br`, compressed);
  return compressed.length;
}

async function bundle(folder: string, entry: string, external: readonly RegExp[]): Promise<void> {
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    // The peers bring a React of their own, which would be the second one on the page.
    resolve: { dedupe: ['react', 'react-dom'] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'es2024',
      modulePreload: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 5_000,
      rolldownOptions: {
        external: [...external],
        preserveEntrySignatures: 'strict',
        input: { page: join(import.meta.dirname, 'contenders', entry) },
        output: { format: 'es', entryFileNames: '[name].js', assetFileNames: 'page[extname]' },
      },
    },
  });
}
