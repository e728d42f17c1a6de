import { relative, resolve } from 'node:path';

const SOCKET_NAME = 'control.sock';
/** The system's limit, less the byte that ends the text; macOS has the shorter one. */
const MAX_BYTES = 103;

/** Where the owner of a data folder reaches the Perpdesk that runs on it; null if its path is longer than the system allows. */
export function controlSocketOf(dataDir: string): string | null {
  const path = resolve(dataDir, SOCKET_NAME);
  return [path, relative(process.cwd(), path)].find((form) => Buffer.byteLength(form) <= MAX_BYTES) ?? null;
}
