import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build, type Plugin } from 'vite';
import { artifacts } from '../lib/report.ts';
import { ordersSchema } from './orders-schema.ts';

/** The folder of the bundles. The same ones run in Node and in the browser. */
export const bundles = join(artifacts, 'decode');

/** Bundles a file of this folder by itself, minified as for the product, and returns its size as it would be sent. */
export async function bundle(name: string, entry: string): Promise<{ readonly brotliBytes: number }> {
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [compiledOrders()],
    build: {
      outDir: bundles,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2024',
      modulePreload: false,
      rolldownOptions: {
        input: { [name]: join(import.meta.dirname, entry) },
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  });
  return { brotliBytes: brotliCompressSync(readFileSync(join(bundles, `${name}.js`))).length };
}

/** Returns what Ajv compiles from the schema ahead of time, as a module that needs no Ajv. */
function compiledOrders(): Plugin {
  const id = 'compiled:orders';
  return {
    name: 'compiled-orders',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: (source) => {
      if (source !== `\0${id}`) return null;
      const ajv = new Ajv({ code: { source: true, esm: true } });
      return standalone.default(ajv, ajv.compile(ordersSchema));
    },
  };
}
