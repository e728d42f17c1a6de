import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const artifacts = join(import.meta.dirname, 'artifacts');
/** A file for each place that words.spec.ts has visited. */
export const WORDS_FOLDER = join(artifacts, 'words');

/** Playwright calls it before all tests, and what it returns after them: the places, visited side by side, become one list. */
export default function prepareWordsList(): () => void {
  rmSync(WORDS_FOLDER, { recursive: true, force: true });
  return () => {
    if (!existsSync(WORDS_FOLDER)) return;
    const lists = readdirSync(WORDS_FOLDER).toSorted().map((file) => readFileSync(join(WORDS_FOLDER, file), 'utf8'));
    writeFileSync(join(artifacts, 'words.txt'), lists.join(''));
  };
}
