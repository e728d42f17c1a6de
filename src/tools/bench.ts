import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './prepare.mjs';
import { root } from './paths.mjs';
import { run } from '#cli/run.mjs';

/**
 * Benchmarks with parts that take minutes each. The words after the name of such a benchmark are the parts to measure.
 */
const IN_PARTS: readonly string[] = ['live'];

/**
 * Splits the arguments. The benchmarks receive everything from the first word with a dash, or after the name of a
 * benchmark with parts.
 */
type Choice = { readonly names: readonly string[]; readonly options: readonly string[] } | { readonly problem: string };

/**
 * Returns the names of the benchmarks: every program directly in the folder is one, while shared code is in folders of
 * its own.
 */
export function toBenchNames(files: readonly string[]): string[] {
  return files
    .filter((file) => /^[a-z0-9-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

export function chooseBenches(words: readonly string[], known: readonly string[]): Choice {
  const end = words.findIndex((word, index) => word.startsWith('-') || IN_PARTS.includes(words[index - 1] ?? ''));
  const [chosen, options] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  const unknown = chosen.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return { problem: `unknown benchmark "${unknown}"; known benchmarks: ${known.join(', ')}.` };
  return { names: chosen.length > 0 ? chosen : known, options };
}

async function runBenches(folder: string, names: readonly string[], options: readonly string[]): Promise<number> {
  const installed = await ensureInstalled(folder);
  if (installed !== 0) return installed;
  let worst = 0;
  for (const name of names) {
    console.log(`\n# ${name}\n`);
    worst = Math.max(worst, await run(process.execPath, [join(folder, `${name}.ts`), ...options], { cwd: root }));
  }
  return worst;
}

if (import.meta.main) {
  const folder = join(root, 'e2e', 'bench');
  const choice = chooseBenches(process.argv.slice(2), toBenchNames(readdirSync(folder)));
  if ('problem' in choice) console.error(`perpdesk: ${choice.problem}`);
  process.exitCode = 'problem' in choice ? 1 : await runBenches(folder, choice.names, choice.options);
}
