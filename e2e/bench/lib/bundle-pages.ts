import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, mergeConfig, type InlineConfig } from 'vite';
import { root } from '../../../src/tools/paths.mjs';

/**
 * Builds scripts for pages into a folder, each by its name and minified as the product is. All their styles are one
 * file, page.css. `more` is what one benchmark's pages need in addition.
 */
export async function bundlePages(
  folder: string,
  scripts: Readonly<Record<string, string>>,
  more: InlineConfig = {},
): Promise<void> {
  const usual: InlineConfig = {
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    // The peers bring their own React, which would be the second one on the page.
    resolve: { dedupe: ['react', 'react-dom'] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'es2024',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { ...scripts },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          assetFileNames: 'page[extname]',
        },
      },
    },
  };
  await build(mergeConfig(usual, more));
}

interface Page {
  readonly file: string;
  readonly script: string;
  readonly title: string;
  readonly styles: string;
}

/** Writes the page of a script: a root to draw into, the given styles and the built ones. */
export function writePage(folder: string, { file, script, title, styles }: Page): void {
  const link = readdirSync(folder).includes('page.css') ? '<link rel="stylesheet" href="page.css">' : '';
  const head = `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${styles}</style>${link}`;
  writeFileSync(join(folder, file), `${head}<div id="root"></div><script type="module" src="${script}"></script>`);
}
