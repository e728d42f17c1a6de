import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { bundlePages, writePage } from '../lib/bundle-pages.ts';
import { artifacts } from '../lib/report.ts';

export const pages = join(artifacts, 'grid');

const STYLES = `html,body{margin:0;block-size:100%}
#root{--type-data:12px/16px sans-serif;--type-label:11px/16px sans-serif;position:absolute;inset:0;display:flex;flex-direction:column;font:12px sans-serif}
.fill{position:absolute;inset:0;display:flex;flex-direction:column}`;

/** Imports immediately what the product fetches later. */
const uncut: Plugin = {
  name: 'bench-uncut',
  enforce: 'pre',
  transform: {
    filter: { id: /[/]src[/]page[/]kit[/]grid[/].+[.]ts$/ },
    handler: (code) => {
      const [later, path] = /await import\('([^']+)'\)/.exec(code) ?? [];
      return later === undefined
        ? null
        : { code: `import * as part from '${String(path)}';\n${code.replace(later, 'part')}`, map: null };
    },
  },
};

/**
 * Measures the product's grid without React, the table library and what the builder adds to fetch a part later, as one
 * piece. The cost of splitting it is counted by the product's own budgets.
 */
export async function measureOwnPart(): Promise<number> {
  const folder = join(pages, 'own-part');
  await bundle(folder, 'own-part.ts', { external: [/^react/, /^@tanstack/], codeSplitting: false, plugins: [uncut] });
  return sizeOf(folder);
}

/**
 * Builds a contender's page, minified as the product is, and returns the size of what a browser fetches of it, as it is
 * sent.
 */
export async function bundlePage(name: string, entry: string): Promise<number> {
  const folder = join(pages, name);
  await bundle(folder, entry, { external: [], codeSplitting: true, plugins: [] });
  writePage(folder, { file: 'index.html', script: 'page.js', title: name, styles: STYLES });
  return sizeOf(folder);
}

function sizeOf(folder: string): number {
  // This includes what is loaded only after the first paint.
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + compress(join(folder, file)), 0);
}

/** Writes the compressed form beside the script, for the server: compressing the largest peer takes seconds. */
function compress(file: string): number {
  const compressed = brotliCompressSync(readFileSync(file));
  writeFileSync(`${file}.br`, compressed);
  return compressed.length;
}

interface Cutting {
  readonly external: RegExp[];
  readonly codeSplitting: boolean;
  readonly plugins: Plugin[];
}

async function bundle(folder: string, entry: string, { external, codeSplitting, plugins }: Cutting): Promise<void> {
  const script = { page: join(import.meta.dirname, 'contenders', entry) };
  await bundlePages(folder, script, {
    plugins,
    build: {
      chunkSizeWarningLimit: 5_000,
      rolldownOptions: { external, preserveEntrySignatures: 'strict', output: { codeSplitting } },
    },
  });
}
