import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { createLogger, defineConfig, type Logger, type Plugin, type Rolldown, Visitor } from 'vite';

/** Compresses each file once at the highest level, so that the server need not; fonts are already, and are left out. */
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
          if (form.byteLength < 0.9 * body.byteLength) writeFileSync(path + suffix, form);
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
        return {
          code: descriptions.reduceRight((text, { start, end }) => `${text.slice(0, start)}''${text.slice(end)}`, code),
          map: null,
        };
      },
    },
  };
}

/** Properties of the contract whose values are for people, and for its documents. */
const DESCRIBING = ['description', 'summary', 'sentence', 'example'];
const TEXT_NODES = ['Literal', 'TemplateLiteral', 'BinaryExpression'];

/** Texts in calls of schema functions and in those properties, and what documents say of the grammar of a parameter. */
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
      if (key.type === 'Identifier' && DESCRIBING.includes(key.name) && TEXT_NODES.includes(value.type))
        found.push(value);
    },
    ObjectExpression: ({ properties }) => {
      const named = new Map(
        properties.flatMap((property) =>
          property.type === 'Property' && property.key.type === 'Identifier'
            ? [[property.key.name, property.value] as const]
            : [],
        ),
      );
      const shape = named.get('shape');
      if (shape?.type === 'ObjectExpression' && named.has('accepts')) found.push(shape);
    },
  });
  visitor.visit(program);
  return found.toSorted((a, b) => a.start - b.start);
}

/** A text with a space, or several that are joined over lines. */
function isSentence(node: { readonly type: string; readonly value?: unknown; readonly operator?: unknown }): boolean {
  return (
    node.type === 'TemplateLiteral' ||
    (node.type === 'BinaryExpression' && node.operator === '+') ||
    (node.type === 'Literal' && typeof node.value === 'string' && node.value.includes(' '))
  );
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
        for (const [folder, chunk] of screensOf(bundle)) {
          const fileName = PAGES[folder];
          if (fileName === undefined) throw new Error(`PAGES does not name a page for ${folder}.`);
          const source = withPreloads(shell, filesOf(chunk, bundle));
          if (fileName === 'index.html') page.source = source;
          else this.emitFile({ type: 'asset', fileName, source });
        }
      },
    },
  };
}

/** The page of each screen, by the screen's folder. A page serves its own address and those below it; `one.html`, all below its folder. */
const PAGES: Readonly<Record<string, string>> = {
  'markets': 'index.html',
  'price': 'price.html',
  'curve': 'curve.html',
  'volume': 'volume.html',
  'funding/compare': 'funding.html',
  'funding/perpetual': 'funding/one.html',
  'orders': 'orders.html',
  'orders/history': 'orders/history.html',
  'orders/life': 'orders/life.html',
  'orders/activity': 'orders/activity.html',
  'rules': 'rules.html',
  'rules/form': 'rules/one.html',
  'rules/handover': 'rules/handover.html',
  'status': 'status.html',
  'access': 'account.html',
};

/** The folder of a module that is a screen. */
function screenFolderOf(id: string | null): string | undefined {
  return /[/]src[/]page[/]screens[/](?<folder>.+)[/][\w-]+-screen\.tsx$/.exec(id ?? '')?.groups?.['folder'];
}

function screensOf(bundle: Rolldown.OutputBundle): [folder: string, chunk: Rolldown.OutputChunk][] {
  return Object.values(bundle).flatMap((chunk): [string, Rolldown.OutputChunk][] => {
    const folder = chunk.type === 'chunk' && chunk.isDynamicEntry ? screenFolderOf(chunk.facadeModuleId) : undefined;
    return chunk.type === 'chunk' && folder !== undefined ? [[folder, chunk]] : [];
  });
}

/** The files that a chunk needs, itself included. */
function filesOf(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  known = new Set<string>(),
): ReadonlySet<string> {
  if (known.has(chunk.fileName)) return known;
  known.add(chunk.fileName);
  for (const name of chunk.imports) {
    const next = bundle[name];
    if (next?.type === 'chunk') filesOf(next, bundle, known);
  }
  return known;
}

function withPreloads(page: string, files: Iterable<string>): string {
  const links = [...files]
    .filter((file) => !page.includes(file))
    .map((file) => `    <link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">\n`);
  return page.replace('  </head>', `${links.join('')}  </head>`);
}

/** Parts of the query library that the first screen imports by name of the package only. */
const NEEDED_LATER = /(infiniteQueryObserver|mutationObserver|useInfiniteQuery|useMutation)\.js$/;

/** Whether a screen that is the page "/" imports the module statically. */
function isFirst(id: string, context: Rolldown.ChunkingContext, visited = new Set<string>()): boolean {
  if (visited.has(id)) return false;
  visited.add(id);
  const folder = screenFolderOf(id);
  if (folder !== undefined) return PAGES[folder] === 'index.html';
  return context.getModuleInfo(id)?.importers.some((importer) => isFirst(importer, context, visited)) ?? false;
}

/** `composes` of another file makes declarations without a source; none of them has an address that Vite could miss. */
const FALSE_ALARM = 'A PostCSS plugin did not pass the `from` option';

function createQuietLogger(): Logger {
  const logger = createLogger('warn');
  const warnOnce = logger.warnOnce.bind(logger);
  logger.warnOnce = (message, options) => {
    if (!message.includes(FALSE_ALARM)) warnOnce(message, options);
  };
  return logger;
}

export default defineConfig(({ command }) => {
  // A shell or test runner may have set it to something else, which would select React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    customLogger: createQuietLogger(),
    // React has had what this shim adds since version 18.
    resolve: { alias: [{ find: /^use-sync-external-store[/]shim$/, replacement: 'react' }] },
    plugins: [react(), withoutDescriptions(), screenPages(), precompress()],
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
          // The first screen contains the names of all files. What several parts share would be named after one of its
          // modules, which says little about it and adds a kilobyte there. The budget finds the charts by their name.
          chunkFileNames: ({ name, isDynamicEntry }) =>
            `assets/${isDynamicEntry || name === 'lightweight-charts' ? name : 'part'}-[hash].js`,
          codeSplitting: {
            groups: [
              { name: 'shell', tags: ['$initial'], priority: 2 },
              // What the first screen shares with others: in one piece, it compresses better.
              {
                name: (id, context) => (isFirst(id, context) && !NEEDED_LATER.test(id) ? 'first' : null),
                debugName: 'first',
                minShareCount: 2,
                includeDependenciesRecursively: false,
                priority: 1,
              },
              // Rows, columns and texts of orders, as far as most order screens need them: in one piece, they compress better.
              {
                name: 'orders',
                test: /[/]src[/]model[/](?:.+[/])?orders[/]/,
                minShareCount: 8,
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
  };
});
