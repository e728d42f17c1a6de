import { join } from 'node:path';
import { bundlePages, writePage } from '../lib/bundle-pages.ts';
import { artifacts } from '../lib/report.ts';

export const PAGES = ['bare-chart', 'chart', 'empty', 'heatmap', 'basis-heatmap'] as const;
export type PageName = (typeof PAGES)[number];

export const pages = join(artifacts, 'funding');

const STYLES = 'html,body{margin:0;block-size:100%}#root{position:absolute;inset:0;font:12px sans-serif}';

export async function bundlePage(name: PageName): Promise<void> {
  const folder = join(pages, name);
  await bundlePages(folder, { page: join(import.meta.dirname, 'pages', `${name}.tsx`) }, { base: './' });
  writePage(folder, { file: 'index.html', script: 'page.js', title: name, styles: STYLES });
}
