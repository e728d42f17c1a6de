import { isLoopback } from '#server/core/loopback.ts';

const hostPattern = /^(?:\[(?<address>[\da-f:.]+)\]|(?<name>[^\s:[\]]+))(?::\d{1,5})?$/i;

/** Whether it is one of this machine's loopback names, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  const { address, name } = hostPattern.exec(host)?.groups ?? {};
  return isLoopback(address ?? name ?? '');
}

/** Whether it is the host of an origin; a port that is the scheme's own may be named. */
export function isHostOf(origin: string, host: string): boolean {
  const { host: expected, port, protocol } = new URL(origin);
  const named = host.toLowerCase();
  return named === expected || (port === '' && named === `${expected}:${protocol === 'https:' ? '443' : '80'}`);
}
