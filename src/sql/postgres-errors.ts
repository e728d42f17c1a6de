import { isUnknownAuthority, TRUST_ADVICE } from '#files/unknown-authority.ts';
import { messageOf, StoreFailure, type Explain } from './store-failure.ts';

const UNREACHABLE = 'cannot be reached. Check that PostgreSQL is running there, and the address.';
const SILENT = 'does not respond. Check the PostgreSQL server and the connection to it.';
const CLOSED = 'closed the connection. Check the PostgreSQL server.';
const REJECTED = 'rejects the user or the password.';

/** SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) or the code of a failed connection. */
const SENTENCES: ReadonlyMap<string | undefined, string> = new Map([
  ['ECONNREFUSED', UNREACHABLE],
  ['ENOTFOUND', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['ENOENT', UNREACHABLE],
  ['ETIMEDOUT', SILENT],
  ['57014', SILENT],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['57P01', CLOSED],
  ['57P02', CLOSED],
  ['57P03', 'is starting up or shutting down. Try again in a moment.'],
  ['28000', REJECTED],
  ['28P01', REJECTED],
  ['3D000', 'does not exist. Create the database first.'],
  ['42501', 'denies this user the rights that it needs: to create, read and write tables.'],
  ['25006', 'is read-only. Choose the primary server, or give this user write access.'],
  ['53100', 'is full: its server has no disk space left.'],
  ['53200', 'is out of memory.'],
  [
    '55P03',
    'is in use by a program that reads it for long, such as pg_dump, so it cannot be updated. Try again when it is done.',
  ],
  ['53300', 'accepts no more connections. Raise max_connections, or close other clients.'],
]);

/** Errors of `pg` itself have no code. */
const CODELESS: readonly (readonly [RegExp, string])[] = [
  [/^Query read timeout$|timeout exceeded when trying to connect|due to connection timeout/, SILENT],
  [/^Connection terminated|^Client has encountered a connection error/, CLOSED],
];

export function explainPostgresErrors(url: string): Explain {
  const store = `The store ${withoutPassword(url)}`;
  return (error) => {
    const { code } = (error ?? {}) as { readonly code?: string };
    const message = messageOf(error);
    if (isUnknownAuthority(code))
      return new StoreFailure(`${store} has a certificate that is not trusted (${code ?? ''}): ${TRUST_ADVICE}.`, {
        cause: error,
      });
    const known = CODELESS.find(([pattern]) => pattern.test(message))?.[1] ?? SENTENCES.get(code);
    return new StoreFailure(`${store} ${known ?? `failed: ${message}.`}`, { cause: error });
  };
}

/** Hides the password of an address. The last `@` before the host ends it, and it may contain others. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:@/?]*):[^/?]*@/i, '$1@').replaceAll(/([?&]password=)[^&]*/gi, '$1...');
}
