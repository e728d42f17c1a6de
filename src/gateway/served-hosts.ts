import type { Handler } from './handler.ts';
import { isLoopback } from './loopback.ts';
import { refuse } from './refusal.ts';

/**
 * Lets through what was asked of this machine by one of its loopback names, on any port, since a tunnel may change it.
 * A foreign name that an attacker points at this address (DNS rebinding) would make their page our origin.
 */
export function guardHost(handle: Handler): Handler {
  return (request, response) => {
    const hosts = request.headersDistinct['host'] ?? [];
    const [host] = hosts;
    if (host === undefined || hosts.length > 1) {
      refuse(response, 400, 'A request names exactly one host.', { connection: 'close' });
      return undefined;
    }
    if (!isServed(host)) {
      refuse(response, 421, 'This address is served as localhost, 127.0.0.1 or [::1] only.', { connection: 'close' });
      return undefined;
    }
    return handle(request, response);
  };
}

const hostPattern = /^(?:\[(?<address>[\da-f:.]+)\]|(?<name>[^\s:[\]]+))(?::\d{1,5})?$/i;

function isServed(host: string): boolean {
  const { address, name } = hostPattern.exec(host)?.groups ?? {};
  return isLoopback(address ?? name ?? '');
}
