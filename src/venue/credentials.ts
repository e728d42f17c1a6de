import { chmodSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toOctal } from '#files/octal-mode.ts';
import { codeGrammar, connectionIdGrammar } from '#contract/exchange/parameters.ts';
import type { Credential } from './http/authenticate.ts';

const OTHERS_MAY_READ = 0o077;

/** Reads a file that only its owner can access. Throws a sentence that says what is wrong with it. */
export function readSecretFile(path: string): string {
  const file = open(path);
  try {
    const { mode } = fstatSync(file);
    if (process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0)
      throw new Error(`Other users have access to the file ${path} (mode ${toOctal(mode)}): run "chmod 600 ${path}".`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Error(`The file ${path} does not exist.`, { cause: error });
    if (code === 'EACCES') throw new Error(`This user may not read the file ${path}.`, { cause: error });
    throw error;
  }
}

const OWNER_ONLY = { file: 0o600, folder: 0o700 };
const FORM =
  '<connection-id>:<token> or <connection-id>:<token>:<account>,<account>, with a connection id of 1 ' +
  'to 64 hexadecimal digits and a token of 64';

/**
 * Parses `<connection-id>:<64 hex characters>`, optionally followed by the accounts it gives access to:
 * `:<account>,<account>`.
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

/**
 * Parses credentials separated by white space. A problem names an entry by its number, because the entry may contain a
 * token.
 */
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

/**
 * Reads the credential in a file that only its owner can access. If there is no file, it creates a credential for all
 * accounts.
 */
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
