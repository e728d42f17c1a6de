import { readFileSync } from 'node:fs';
import { budgetsOf, toManifest } from './src/tools/budgets.ts';

export default budgetsOf(toManifest(readFileSync('dist/.vite/manifest.json', 'utf8')), 'dist');
