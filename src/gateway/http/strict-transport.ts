import type { IncomingMessage } from 'node:http';
import type { Handler } from '../ports.ts';
import { isServed } from './hosts.ts';

const ONE_YEAR = 'max-age=31536000';

/**
 * Makes browsers insist on TLS if a tunnel reports that they used it, under a name that is not a loopback name: for
 * `localhost` that would lock out every other server on this machine. The header grants no access, so it needs no proof.
 */
export function withStrictTransport(handle: Handler): Handler {
  return (request, response) => {
    if (isBehindTls(request)) response.setHeader('strict-transport-security', ONE_YEAR);
    return handle(request, response);
  };
}

function isBehindTls({ headers }: IncomingMessage): boolean {
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host } = headers;
  return protocol === 'https' && typeof host === 'string' && host !== '' && !isServed(host);
}
