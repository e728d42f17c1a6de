import type { IncomingMessage } from 'node:http';
import type { Handler } from '../ports.ts';
import { isLoopback } from '../loopback.ts';
import { sendPlainError } from './plain-error.ts';

/**
 * Accepts requests to this machine's loopback names only, on any port, since a tunnel may change the port. Any other
 * name could be an attacker's that points here (DNS rebinding), which would make their page our origin.
 */
export function guardHost(handle: Handler): Handler {
  let lastServed: string | null = null;
  return (request, response) => {
    const hosts = hostsOf(request);
    const [host] = hosts;
    if (host === undefined || hosts.length > 1) {
      sendPlainError(response, 400, 'A request must name exactly one host.', { connection: 'close' });
      return undefined;
    }
    if (host !== lastServed && !isServed(host)) {
      sendPlainError(response, 421, 'Open Perpdesk as localhost, 127.0.0.1 or [::1]: other host names are rejected.', { connection: 'close' });
      return undefined;
    }
    lastServed = host;
    return handle(request, response);
  };
}

/** From the raw headers: `request.headers` only shows the first of several. */
function hostsOf({ rawHeaders }: IncomingMessage): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

const hostPattern = /^(?:\[(?<address>[\da-f:.]+)\]|(?<name>[^\s:[\]]+))(?::\d{1,5})?$/i;

/** Whether it is one of this machine's loopback names, with or without a port. */
export function isServed(host: string): boolean {
  const { address, name } = hostPattern.exec(host)?.groups ?? {};
  return isLoopback(address ?? name ?? '');
}
