import { join } from 'node:path';
import { artifacts } from '../lib/report.ts';
import { bundlePages, writePage } from '../lib/bundle-pages.ts';

export const pages = join(artifacts, 'charts');
export const PAGES = { price: 'price.tsx', bare: 'bare.ts', markets: 'markets.tsx', static: 'static.ts' } as const;
export type PageName = keyof typeof PAGES;

/** What is measured: a page, or one with indicators, or with as many lines. */
export type Contender = PageName | 'indicators' | 'lines';

/** The layout of a screen in the shell: below the header, as high as the window. */
const FRAME = '#root{position:absolute;inset:40px 0 0;overflow:auto}';

/** Builds all pages in one bundle, so that shared class names are the same in each. */
export async function bundleCharts(): Promise<void> {
  const scripts = Object.entries(PAGES).map(
    ([name, file]) => [name, join(import.meta.dirname, 'pages', file)] as const,
  );
  await bundlePages(pages, Object.fromEntries(scripts));
  for (const [name] of scripts)
    writePage(pages, { file: `${name}.html`, script: `${name}.js`, title: name, styles: FRAME });
}
