import type { IncomingMessage } from 'node:http';
import type { Handler } from './handler.ts';
import { isLoopback } from './loopback.ts';
import { refuse } from './refusal.ts';

/**
 * Lets through what was asked of this machine by one of its loopback names, on any port, since a tunnel may change it.
 * A foreign name that an attacker points at this address (DNS rebinding) would make their page our origin.
 */
export function guardHost(handle: Handler): Handler {
  // Nearly everybody says the same: what was found good is not looked at again.
  let lastServed: string | null = null;
  return (request, response) => {
    const hosts = hostsOf(request);
    const [host] = hosts;
    if (host === undefined || hosts.length > 1) {
      refuse(response, 400, 'A request names exactly one host.', { connection: 'close' });
      return undefined;
    }
    if (host !== lastServed && !isServed(host)) {
      refuse(response, 421, 'This address is served as localhost, 127.0.0.1 or [::1] only.', { connection: 'close' });
      return undefined;
    }
    lastServed = host;
    return handle(request, response);
  };
}

/** As they came: of several, Node shows the first. */
function hostsOf({ rawHeaders }: IncomingMessage): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

const hostPattern = /^(?:\[(?<address>[\da-f:.]+)\]|(?<name>[^\s:[\]]+))(?::\d{1,5})?$/i;

/** Whether it is one of this machine's own names, with or without a port. */
export function isServed(host: string): boolean {
  const { address, name } = hostPattern.exec(host)?.groups ?? {};
  return isLoopback(address ?? name ?? '');
}
