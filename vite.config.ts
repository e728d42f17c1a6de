import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
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

export default defineConfig(({ command }) => {
  // Left alone, a shell or a test runner that has it set to something else would get React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    plugins: [react(), precompress()],
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
          codeSplitting: {
            groups: [
              { name: 'shell', tags: ['$initial'], priority: 1 },
              // What charts share is not to come with a list, nor what lists of orders share with anything else.
              { name: 'chart', test: /[/]ui[/]chart[/]/, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000, priority: 1 },
              { name: 'orders', test: /[/]ui[/]grid[/]|[/]orders[/]|[/]column-/, minShareCount: 2, entriesAware: true, includeDependenciesRecursively: false, priority: 1 },
              // What opens over a page shares most of its weight with nothing that is there before.
              { name: 'shared', test: (id) => !/base-ui|floating-ui|[/]ui[/](?:dialog|combobox|floating)/.test(id), minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000 },
            ],
          },
        },
      },
    },
    test: {
      projects: [
        {
        extends: true,
        // Long enough for the arithmetic of a busy machine: these wait for nothing that could fail to come.
        test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}', 'e2e/bench/lib/*.test.ts'], exclude: [...integration, checks], testTimeout: 30_000 },
      },
        { extends: true, test: { name: 'integration', include: integration, testTimeout: 30_000 } },
        { extends: true, test: { name: 'checks', include: [checks], testTimeout: 120_000, hookTimeout: 60_000 } },
      ],
    },
  };
});
