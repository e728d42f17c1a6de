import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { Visitor, type Plugin, type Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

const integration = ['src/**/*.integration.test.ts', 'e2e/bench/lib/*.integration.test.ts'];
const checks = 'src/**/*.checks.test.ts';

/** Compresses each file once at the highest level, so that the server need not; keeps only what is smaller. */
function precompress(): Plugin {
  return {
    name: 'perpdesk-precompress',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error('The build has no folder to write to.');
      const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      for (const path of files.map((file) => join(file.parentPath, file.name))) {
        const body = readFileSync(path);
        const forms = { '.br': brotliCompressSync(body), '.gz': gzipSync(body, { level: 9 }) };
        for (const [suffix, form] of Object.entries(forms)) {
          if (form.byteLength < body.byteLength) writeFileSync(path + suffix, form);
        }
      }
    },
  };
}

/** Removes the contract's descriptions from the page: they are for its documents, and a good part of its code size. */
function withoutDescriptions(): Plugin {
  return {
    name: 'perpdesk-without-descriptions',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /[/]src[/]contract[/].+[.]ts$/ },
      handler(code) {
        const descriptions = findDescriptions(this.parse(code));
        return { code: descriptions.reduceRight((text, { start, end }) => `${text.slice(0, start)}''${text.slice(end)}`, code), map: null };
      },
    },
  };
}

/** Properties of the contract whose values are for people. */
const DESCRIBING = ['description', 'summary', 'sentence'];
const TEXT_NODES = ['Literal', 'TemplateLiteral'];

/** Texts in calls of schema functions and in those properties. */
function findDescriptions(program: Parameters<Visitor['visit']>[0]): { start: number; end: number }[] {
  const makers = new Set<string>();
  const found: { start: number; end: number }[] = [];
  const visitor = new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      if (/[/](?:fields|schema)\.ts$/.test(source.value)) for (const { local } of specifiers) makers.add(local.name);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'Identifier' || !makers.has(callee.name)) return;
      for (const each of given) if (isSentence(each)) found.push(each);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && DESCRIBING.includes(key.name) && TEXT_NODES.includes(value.type)) found.push(value);
    },
  });
  visitor.visit(program);
  return found.toSorted((a, b) => a.start - b.start);
}

function isSentence(node: { readonly type: string; readonly value?: unknown }): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string' && node.value.includes(' '));
}

/**
 * A page for each screen. They differ only in what they preload: the code of the screen, which the browser would
 * otherwise discover a round trip later.
 */
function screenPages(): Plugin {
  return {
    name: 'perpdesk-screen-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no page.');
        const shell = String(page.source);
        for (const [name, chunk] of screensOf(bundle)) {
          const fileName = PAGES[name];
          if (fileName === undefined) throw new Error(`PAGES does not name a page for ${name}.`);
          const source = withPreloads(shell, filesOf(chunk, bundle));
          if (fileName === 'index.html') page.source = source;
          else this.emitFile({ type: 'asset', fileName, source });
        }
      },
    },
  };
}

/** The page of each screen, by its module. A page serves its own address and those below it; `one.html`, all below its folder. */
const PAGES: Readonly<Record<string, string>> = {
  'markets-screen': 'index.html',
  'price-screen': 'price.html',
  'volume-screen': 'volume.html',
  'compare-screen': 'funding.html',
  'perpetual-screen': 'funding/one.html',
  'working-screen': 'orders.html',
  'history-screen': 'orders/history.html',
  'status-screen': 'status.html',
};
const screenModule = /[/]src[/]views[/].+[/](?<name>[\w-]+-screen)\.tsx$/;

function screensOf(bundle: Rolldown.OutputBundle): [name: string, chunk: Rolldown.OutputChunk][] {
  return Object.values(bundle).flatMap((chunk): [string, Rolldown.OutputChunk][] => {
    const name = chunk.type === 'chunk' && chunk.isDynamicEntry ? screenModule.exec(chunk.facadeModuleId ?? '')?.groups?.['name'] : undefined;
    return chunk.type === 'chunk' && name !== undefined ? [[name, chunk]] : [];
  });
}

/** The files that a chunk needs, itself included. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(chunk.fileName)) return known;
  known.add(chunk.fileName);
  for (const name of chunk.imports) {
    const next = bundle[name];
    if (next?.type === 'chunk') filesOf(next, bundle, known);
  }
  return known;
}

function withPreloads(page: string, files: Iterable<string>): string {
  const links = [...files].filter((file) => !page.includes(file)).map((file) => `    <link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">\n`);
  return page.replace('  </head>', `${links.join('')}  </head>`);
}

/**
 * Browsers compile a function when it is first called, which delays the page. This comment makes them compile a whole file
 * while it streams in, for what the first paint of a screen runs.
 */
function compiledAhead(): Plugin {
  return {
    name: 'perpdesk-compiled-ahead',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const files = [...screensOf(bundle).map(([, chunk]) => chunk), ...chartsOf(bundle)].flatMap((chunk) => [...filesOf(chunk, bundle)]);
        for (const chunk of Object.values(bundle)) {
          // Browsers only read it at the very beginning of a file.
          if (chunk.type === 'chunk' && files.includes(chunk.fileName)) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}

function chartsOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((chunk): chunk is Rolldown.OutputChunk => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/ui/chart/lightweight-charts.tsx') === true);
}

const plain = { minShareCount: 2, includeDependenciesRecursively: false };

function isOfList(id: string): boolean {
  return /[/]ui[/]grid[/]|[/]@tanstack[/](?:table-core|react-table|store|react-store)[/]/.test(id);
}

/** Whether the first screen imports the module statically. */
function isFirst(id: string, context: Rolldown.ChunkingContext): boolean {
  first ??= closureOf(FIRST_MODULE, context);
  return first.has(id);
}
const FIRST_MODULE = new URL('src/views/markets/markets-screen.tsx', import.meta.url).pathname;
let first: ReadonlySet<string> | undefined;

function closureOf(id: string, context: Rolldown.ChunkingContext, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(id)) return known;
  known.add(id);
  for (const next of context.getModuleInfo(id)?.importedIds ?? []) closureOf(next, context, known);
  return known;
}

export default defineConfig(({ command }) => {
  // A shell or test runner may have set it to something else, which would select React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    // React has had what this shim adds since version 18.
    resolve: { alias: [{ find: /^use-sync-external-store[/]shim$/, replacement: 'react' }] },
    plugins: [react(), withoutDescriptions(), screenPages(), compiledAhead(), precompress()],
    build: {
      // The bundle budget reads it.
      manifest: true,
      // The first versions with light-dark(), which the themes use.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      // The content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Few files rather than many small ones, which each cost a round trip and compress worse.
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          // A shared chunk is named after all of its screens, and every page would load those names.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          codeSplitting: {
            groups: [
              { name: 'shell', tags: ['$initial'], priority: 3 },
              // The first screen in three files: what other screens may share, the grid, and the grid's input handling, which
              // loads after the first paint.
              { name: (id, context) => (isOfList(id) ? (isFirst(id, context) ? 'list' : 'hands') : null), debugName: 'list', ...plain, priority: 2 },
              { name: (id, context) => (isFirst(id, context) ? 'first' : null), debugName: 'first', ...plain, priority: 2 },
              // What charts and their figures share stays apart from lists.
              { name: 'chart', test: /[/]ui[/](?:chart[/]|combobox[/]combobox[.]tsx)|[/]domain[/](?:price|voi)[/]/, minShareCount: 2, includeDependenciesRecursively: false, entriesAware: true, entriesAwareMergeThreshold: 10_000, priority: 1 },
              // The command palette needs these, and nothing else of what other screens share.
              { name: 'products', test: /[/]domain[/](?:markets[/]product-directory|compare-codes)[.]/, ...plain, priority: 1 },
              // Dialogs, tooltips and comboboxes share most of their code with nothing that the page loads before.
              { name: 'shared', test: (id) => !/base-ui|floating-ui|[/]ui[/](?:dialog|combobox[/]combobox-input|tooltip[/])/.test(id), minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6_000 },
            ],
          },
        },
      },
    },
    test: {
      projects: [
        {
        extends: true,
        // Long enough for the arithmetic of a busy machine: these wait for nothing that could fail to come. And they leave
        // nothing behind, so that one process runs them all, in a third of the time.
        test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}', 'e2e/bench/lib/*.test.ts'], exclude: [...integration, checks], testTimeout: 30_000, isolate: false },
      },
        {
          extends: true,
          // Patience, not a measure: what is waited for comes, but a busy machine stands still for a second at times.
          test: { name: 'integration', include: integration, testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } },
        },
        { extends: true, test: { name: 'checks', include: [checks], testTimeout: 120_000, hookTimeout: 60_000 } },
      ],
    },
  };
});
