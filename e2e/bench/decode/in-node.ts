import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundles } from './bundle.ts';
import { measure, type Measured } from './measure.ts';
import type { Read } from './read.ts';

/** Measures a contender in a separate process, so that none inherits another's heap or compiled code. */
export async function measureInNode(name: string, textFile: string, rows: number): Promise<Measured> {
  const args = [import.meta.filename, name, textFile, String(rows)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

if (import.meta.main) {
  const [name = '', textFile = '', rows = ''] = process.argv.slice(2);
  const { read } = (await import(pathToFileURL(join(bundles, `${name}.js`)).href)) as { readonly read: Read };
  console.log(JSON.stringify(measure(read, readFileSync(textFile, 'utf8'), Number(rows))));
}
