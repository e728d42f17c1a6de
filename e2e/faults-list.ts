import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const artifacts = join(import.meta.dirname, 'artifacts');
/** A file for each fault that faults.spec.ts has planted. */
export const FAULTS_FOLDER = join(artifacts, 'faults');

const FAULTS_HEAD = '| Fault | Kind | Planted in | Shown |\n| --- | --- | --- | --- |\n';

/** Playwright calls it before all tests, and what it returns after them: what they noted side by side becomes one list. */
export default function prepareList(): () => void {
  rmSync(FAULTS_FOLDER, { recursive: true, force: true });
  return () => {
    if (!existsSync(FAULTS_FOLDER)) return;
    const parts = readdirSync(FAULTS_FOLDER).toSorted().map((file) => readFileSync(join(FAULTS_FOLDER, file), 'utf8'));
    writeFileSync(join(artifacts, 'faults.md'), FAULTS_HEAD + parts.join(''));
  };
}
