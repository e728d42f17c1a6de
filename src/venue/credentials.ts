import { existsSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeGrammar, connectionIdGrammar } from '#contract/exchange/parameters.ts';
import type { Credential } from './http/authenticate.ts';
import { readSecretFile } from './core/secret-file.ts';

const OWNER_ONLY = { file: 0o600, folder: 0o700 };
const FORM =
  '<connection-id>:<token> or <connection-id>:<token>:<account>,<account>, with a connection id of 1 to 64 hexadecimal digits and a token of 64';

/**
 * `<connection-id>:<64 hex characters>`, and the accounts it opens, if not all: `:<account>,<account>`.
 *
 * @internal Exported for its test.
 */
export function parseCredential(text: string): Credential | undefined {
  const [connectionId = '', token = '', accounts, ...more] = text.split(':');
  const codes = accounts?.split(',') ?? null;
  const isValid =
    connectionIdGrammar.accepts(connectionId) &&
    /^[0-9a-fA-F]{64}$/.test(token) &&
    more.length === 0 &&
    (codes?.every((code) => codeGrammar.accepts(code)) ?? true);
  return isValid ? { connectionId, token, accounts: codes } : undefined;
}

/** Credentials separated by white space. A problem names an entry by its number, as the entry may contain a token. */
export function parseCredentials(source: string, text: string, problems: string[]): readonly Credential[] {
  const credentials: Credential[] = [];
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  if (entries.length === 0) problems.push(`${source} holds no credential.`);
  for (const [index, entry] of entries.entries()) {
    const credential = parseCredential(entry);
    if (credential === undefined) problems.push(`${source}, entry ${index + 1}, must be ${FORM}.`);
    else if (credentials.some((other) => isSameConnection(other, credential))) {
      problems.push(`${source} names the connection ${credential.connectionId} twice; a connection has one token.`);
    } else credentials.push(credential);
  }
  return credentials;
}

/** The credential in a file that only its owner can access. Without a file, a credential for all accounts is made. */
export function readOrCreateCredential(path: string, randomHex: (bytes: number) => string): Credential {
  if (existsSync(path)) {
    const credential = parseCredential(readSecretFile(path).trim());
    if (credential === undefined) throw new Error(`${path} holds no credential. Remove it to have a new one made.`);
    return credential;
  }
  const credential = { connectionId: randomHex(8), token: randomHex(32), accounts: null };
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY.folder });
  writeFileSync(path, `${credential.connectionId}:${credential.token}\n`, { mode: OWNER_ONLY.file });
  chmodSync(path, OWNER_ONLY.file);
  return credential;
}

function isSameConnection(a: Credential, b: Credential): boolean {
  return a.connectionId.toLowerCase() === b.connectionId.toLowerCase();
}
