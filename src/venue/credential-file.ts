import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Credential } from './http/authenticate.ts';
import { parseCredential } from './venue-settings.ts';

const OWNER_ONLY = { file: 0o600, folder: 0o700 };

/**
 * The credential in a file that only its owner can read; where there is none yet, one is made and kept there. It opens
 * all accounts.
 */
export function readOrCreateCredential(path: string, randomHex: (bytes: number) => string): Credential {
  const text = readText(path);
  if (text !== null) {
    const kept = parseCredential(text.trim());
    if (kept === undefined) throw new Error(`${path} holds no credential; remove it, and another one is made.`);
    return kept;
  }
  const made = { connectionId: randomHex(8), token: randomHex(32), accounts: null };
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY.folder });
  writeFileSync(path, `${made.connectionId}:${made.token}\n`, { mode: OWNER_ONLY.file });
  chmodSync(path, OWNER_ONLY.file);
  return made;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
