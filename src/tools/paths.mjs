import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where the tools keep what they may lose: caches and reports. Goes with node_modules, so a fresh install starts clean. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'perpdesk');
