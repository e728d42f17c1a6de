import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { Visitor, type Plugin, type Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

const integration = ['src/**/*.integration.test.ts', 'e2e/bench/lib/*.integration.test.ts'];
const checks = 'src/**/*.checks.test.ts';

/** Compresses once, as hard as it goes, what the server would otherwise compress for every client; keeps what is smaller. */
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

/**
 * What the table of the interface tells people goes into its documents; a browser reads none of it, and it would be a
 * good part of what the first visit loads.
 */
function withoutSentences(): Plugin {
  return {
    name: 'perpdesk-without-sentences',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /[/]src[/]contract[/][\w-]+[.]ts$/ },
      handler(code) {
        const sentences = findSentences(this.parse(code));
        return { code: sentences.reduceRight((text, { start, end }) => `${text.slice(0, start)}''${text.slice(end)}`, code), map: null };
      },
    },
  };
}

/** Properties of the table that tell people what something is, or must be. */
const TOLD = ['description', 'summary', 'sentence'];
const SAYINGS = ['Literal', 'TemplateLiteral'];

/** Where fields are described: in calls of what makes schemas, and in those properties. */
function findSentences(program: Parameters<Visitor['visit']>[0]): { start: number; end: number }[] {
  const makers = new Set<string>();
  const found: { start: number; end: number }[] = [];
  const visitor = new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      if (/[/](?:fields|schema)\.ts$/.test(source.value)) for (const { local } of specifiers) makers.add(local.name);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'Identifier' || !makers.has(callee.name)) return;
      for (const each of given) if (each.type === 'Literal' && typeof each.value === 'string' && each.value.includes(' ')) found.push(each);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && TOLD.includes(key.name) && SAYINGS.includes(value.type)) found.push(value);
    },
  });
  visitor.visit(program);
  return found.toSorted((a, b) => a.start - b.start);
}

/**
 * A page for each screen that differs only in what it names ahead: the screen's code, which the browser would otherwise
 * learn of only from the shell's, a trip there and back later. `/price/…` is answered by `price.html`, `/funding/…` by
 * `funding/one.html`.
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
          const source = withPreloads(shell, filesOf(chunk, bundle));
          if (name === FIRST) page.source = source;
          else this.emitFile({ type: 'asset', fileName: `${name}.html`, source });
        }
      },
    },
  };
}

/** The screen behind `/`. */
const FIRST = 'markets';
const screenModule = /[/]src[/]views[/](?<name>.+)[/][\w-]+-screen\.tsx$/;

function screensOf(bundle: Rolldown.OutputBundle): [name: string, chunk: Rolldown.OutputChunk][] {
  return Object.values(bundle).flatMap((chunk): [string, Rolldown.OutputChunk][] => {
    const name = chunk.type === 'chunk' && chunk.isDynamicEntry ? screenModule.exec(chunk.facadeModuleId ?? '')?.groups?.['name'] : undefined;
    return chunk.type === 'chunk' && name !== undefined ? [[name, chunk]] : [];
  });
}

/** What a chunk runs with, itself included. */
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
 * Engines compile a function when it is first called, and hold the page up for it. Of what every first painting runs, they
 * are told to compile all as it comes in, beside the page.
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
          // It counts only at the very beginning of a file.
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
  return /[/]ui[/]grid[/]|[/]@tanstack[/](?:table-core|store)[/]/.test(id);
}

/** What the first screen is made of, besides the shell: what it needs at once, by its own imports. */
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
  // Left alone, a shell or a test runner that has it set to something else would get React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    plugins: [react(), withoutSentences(), screenPages(), compiledAhead(), precompress()],
    build: {
      // The bundle budget reads from it what each screen loads.
      manifest: true,
      // The first versions with light-dark(), which the themes are made of.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      // The content security policy lets nothing in by data: address.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Few files rather than many small ones: each costs a phone a trip there and back, and compresses worse.
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          // Of a file that many screens share, the name tells all of them, and every page would load the names.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          codeSplitting: {
            groups: [
              { name: 'shell', tags: ['$initial'], priority: 3 },
              // Of the first screen, what others have too: in one file what any may have, in one what lists are made of, and
              // beside it what hands do to a list, which comes when it is painted.
              { name: (id, context) => (isOfList(id) ? (isFirst(id, context) ? 'list' : 'hands') : null), debugName: 'list', ...plain, priority: 2 },
              { name: (id, context) => (isFirst(id, context) ? 'first' : null), debugName: 'first', ...plain, priority: 2 },
              // What charts and their figures share is not to come with a list, nor what lists share with anything else.
              { name: 'chart', test: /[/]ui[/](?:chart[/]|find[/]find-field)|[/]domain[/](?:bars|format-figure|price-digits|voi-quantity)[.]/, minShareCount: 2, includeDependenciesRecursively: false, entriesAware: true, entriesAwareMergeThreshold: 10_000, priority: 1 },
              // What opens over a page shares most of its weight with nothing that is there before.
              { name: 'shared', test: (id) => !/base-ui|floating-ui|[/]ui[/](?:dialog|find[/]finder|floating)/.test(id), minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6_000 },
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
