// Runs dependency-cruiser over every source file and verifies that it read them: with an unknown compiler version, or a
// setting that leaves files out, it finds nothing wrong and reports success. It finds circles of files; this program
// also finds those of folders.
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise, format, getAvailableTranspilers, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const sources = ['src/**/*.{ts,tsx,mjs}', 'e2e/**/*.{ts,tsx}', 'vite.config.ts', 'vitest.config.ts'];
const notCruised = ['**/node_modules/**', 'e2e/artifacts/**'];

async function cruiseAll(files: readonly string[]): Promise<ICruiseResult> {
  const { output } = await cruise([...files], await extractOptions('./.dependency-cruiser.mjs'), undefined, {
    tsConfig: extractTsConfig('./tsconfig.json'),
  });
  if (typeof output === 'string') throw new TypeError('dependency-cruiser returned text instead of a result');
  return output;
}

function unseen(files: readonly string[], result: ICruiseResult): string[] {
  const seen = new Set(result.modules.filter((module) => module.couldNotResolve !== true).map(({ source }) => source));
  return files.filter((file) => !seen.has(file));
}

/** Returns why its result cannot be trusted. */
function blindness(files: readonly string[], result: ICruiseResult): string[] {
  const compiler = getAvailableTranspilers().find(({ name }) => name === 'typescript');
  const missed = unseen(files, result);
  const seen = `${String(files.length - missed.length)} of ${String(files.length)}`;
  return [
    ...(compiler?.available === true ? [] : ['dependency-cruiser does not know this version of TypeScript.']),
    ...(files.length > 0 && missed.length === 0 ? [] : [`dependency-cruiser saw ${seen} files; not these:`, ...missed]),
  ];
}

const NOT_LOGIC = /\.test(-d)?\.tsx?$|^src\/testing\/|^e2e\//;

/** Returns the folders of the product, each with those that its files import from. */
function foldersOf(result: ICruiseResult): ReadonlyMap<string, ReadonlySet<string>> {
  const isOurs = (path: string): boolean => path.startsWith('src/') && !NOT_LOGIC.test(path);
  const modules = result.modules.filter(({ source }) => isOurs(source));
  const folders = new Map(modules.map(({ source }) => [dirname(source), new Set<string>()]));
  for (const { source, dependencies } of modules) {
    const folder = dirname(source);
    const others = dependencies.filter(({ resolved }) => isOurs(resolved) && dirname(resolved) !== folder);
    for (const { resolved } of others) folders.get(folder)?.add(dirname(resolved));
  }
  return folders;
}

/** Finds each folder that can only be understood together with another, and returns the way there and back. */
function folderCircles(folders: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...folders.keys()].flatMap((start) => {
    const ways = [[start]];
    const known = new Set<string>();
    for (const way of ways) {
      for (const next of folders.get(way.at(-1) ?? '') ?? []) {
        if (next === start) return [`  error no-folder-cycles: ${[...way, start].join(' → ')}`];
        if (known.has(next)) continue;
        known.add(next);
        ways.push([...way, next]);
      }
    }
    return [];
  });
}

const files = globSync(sources, { exclude: notCruised }).sort();
const result = await cruiseAll(files);
const { output, exitCode } = await format(result, { outputType: 'err-long' });
const problems = blindness(files, result);
const circles = folderCircles(foldersOf(result));
console.log(output);
if (circles.length > 0) console.log([...circles, 'Folders in a circle can only be understood together.'].join('\n'));
if (problems.length > 0) console.log(['The walls are not checked:', ...problems].join('\n'));
process.exitCode = problems.length > 0 || circles.length > 0 ? 1 : exitCode;
