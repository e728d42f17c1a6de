// Runs dependency-cruiser over every source file, and makes sure that it saw them: with a compiler version it does not
// know it reads nothing, finds nothing and reports success.
import { globSync } from 'node:fs';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const sources = ['src/**/*.{ts,tsx,mjs}', 'e2e/**/*.ts', 'vite.config.ts'];
const notCruised = ['e2e/bench/**', 'e2e/artifacts/**'];

async function cruiseAll(files: readonly string[]): Promise<ICruiseResult> {
  const { output } = await cruise([...files], await extractOptions('./.dependency-cruiser.mjs'), undefined, {
    tsConfig: extractTsConfig('./tsconfig.json'),
  });
  if (typeof output === 'string') throw new TypeError('dependency-cruiser gave text where a result was asked for');
  return output;
}

function unseen(files: readonly string[], result: ICruiseResult): string[] {
  const seen = new Set(result.modules.filter((module) => module.couldNotResolve !== true).map(({ source }) => source));
  return files.filter((file) => !seen.has(file));
}

const files = globSync(sources, { exclude: notCruised }).sort();
const result = await cruiseAll(files);
const { output, exitCode } = await format(result, { outputType: 'err-long' });
console.log(output);
const missed = unseen(files, result);
if (files.length === 0 || missed.length > 0) {
  console.log(`dependency-cruiser saw ${String(files.length - missed.length)} of ${String(files.length)} files; the walls are not checked:`);
  console.log(missed.join('\n'));
}
process.exitCode = files.length === 0 || missed.length > 0 ? 1 : exitCode;
