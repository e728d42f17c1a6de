import { isIPv4 } from 'node:net';
import { Client } from 'pg';

/**
 * How data would pass over a network unencrypted: because the address does not require TLS, or because it disables it.
 */
export type PlainPassage = 'by default' | 'by choice';

/** Returns null if TLS protects the connection, it does not leave this machine, or this is not such an address. */
export function findPlainPassage(url: string): PlainPassage | null {
  if (!/^postgres(?:ql)?:\/\//i.test(url)) return null;
  try {
    // Only the client itself knows how it interprets an address and the environment. It does not connect yet.
    const { host, ssl } = new Client({ connectionString: url });
    if (ssl || isOwnMachine(host)) return null;
    return /[?&]sslmode=disable(?:&|$)/.test(url) ? 'by choice' : 'by default';
  } catch {
    return null;
  }
}

/** Completes a sentence that begins with where the address is given. */
export const PLAIN_BY_DEFAULT =
  'leads to a database on another machine without TLS, so others on the network path could read the ' +
  'password and the data, and change them: add sslmode=verify-full to the address, as in ' +
  'postgres://user@host/database?sslmode=verify-full, or sslmode=disable if that path is private.';
export const PLAIN_BY_CHOICE =
  'The database is on another machine, and its address has sslmode=disable: whoever is on the network ' +
  'path can read and change the data.';

/** Whether a host is this machine; a path is a Unix socket. */
function isOwnMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
