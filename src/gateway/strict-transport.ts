import type { IncomingMessage } from 'node:http';
import type { Handler } from './handler.ts';
import { isServed } from './served-hosts.ts';

const ONE_YEAR = 'max-age=31536000';

/**
 * Tells browsers to come by TLS only, where a tunnel says that they did and under a name that is not this machine's own:
 * for `localhost` it would bar every other server on it. What the tunnel says lets nobody in, so it need not be proven.
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
