import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const artifacts = join(import.meta.dirname, 'artifacts');
/** A file for each place that words.spec.ts has visited. */
export const WORDS_FOLDER = join(artifacts, 'words');
/** A file for each fault that faults.spec.ts has planted. */
export const FAULTS_FOLDER = join(artifacts, 'faults');

const FAULTS_HEAD = '| Fault | Kind | Planted in | Shown |\n| --- | --- | --- | --- |\n';

/** Playwright calls it before all tests, and what it returns after them: what they noted side by side becomes a list each. */
export default function prepareLists(): () => void {
  for (const folder of [WORDS_FOLDER, FAULTS_FOLDER]) rmSync(folder, { recursive: true, force: true });
  return () => {
    collect(WORDS_FOLDER, 'words.txt', '');
    collect(FAULTS_FOLDER, 'faults.md', FAULTS_HEAD);
  };
}

function collect(folder: string, list: string, head: string): void {
  if (!existsSync(folder)) return;
  const parts = readdirSync(folder).toSorted().map((file) => readFileSync(join(folder, file), 'utf8'));
  writeFileSync(join(artifacts, list), head + parts.join(''));
}
