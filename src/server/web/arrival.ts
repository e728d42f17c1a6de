import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback, type Subnets, toPlainAddress } from '#server/core/network.ts';

/** How a request reached the desk. */
interface Arrival {
  /** The client's network address; behind a trusted proxy, the one that the proxy reports. */
  readonly address: string;
  /** The one host that the request names, with its port. */
  readonly host: string;
  /** Origin at which people open the desk; null: only the loopback names are served. */
  readonly publicUrl: string | null;
  readonly response: ServerResponse | null;
}

const ARRIVAL = Symbol('arrival');

/** With the request itself: to look it up elsewhere would cost more than the whole way of a request until here. */
type Arrived = IncomingMessage & { [ARRIVAL]?: Arrival };

export function noteArrival(request: Arrived, arrival: Arrival): void {
  request[ARRIVAL] = arrival;
}

/** Of a request that did not pass the front: only what the connection itself proves. */
export function arrivalOf(request: Arrived): Arrival {
  return (
    request[ARRIVAL] ?? {
      address: request.socket.remoteAddress ?? '',
      host: request.headers.host ?? '',
      publicUrl: null,
      response: null,
    }
  );
}

/** The origin of the pages that this request belongs to. */
export function ownOriginOf(request: IncomingMessage): string {
  const { host, publicUrl } = arrivalOf(request);
  if (publicUrl !== null && (!isLoopbackHost(host) || request.headers.origin === publicUrl)) return publicUrl;
  return `${'encrypted' in request.socket ? 'https' : 'http'}://${host}`;
}

/** The origin at which people open the desk, whatever a proxy or tunnel makes of the host. */
export function homeOf(request: IncomingMessage): string {
  return arrivalOf(request).publicUrl ?? ownOriginOf(request);
}

/** Whether it is ours: a proxy need not keep the host, but then it is reached at the public address. */
export function isOwnOrigin(origin: string, { host, publicUrl }: Arrival): boolean {
  if (origin === publicUrl) return true;
  return isLoopbackHost(host) && URL.parse(origin)?.host === host.toLowerCase();
}

/** Where a Unix socket has no network address, and nobody in front of it names one. */
export const UNIX_PEER = 'unix socket';

/**
 * The address of the client. A trusted proxy appends the address that it sees to `X-Forwarded-For`, so the last one that
 * is not a trusted proxy itself is the client's; what stands before it anybody could have written.
 */
export function clientAddressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isTrusted: Subnets,
): string {
  const peer = socket.remoteAddress === undefined ? UNIX_PEER : toPlainAddress(socket.remoteAddress);
  const forwarded = headers['x-forwarded-for'];
  // Only those to whom the owner gave access open the Unix socket.
  if (typeof forwarded !== 'string' || (peer !== UNIX_PEER && !isTrusted(peer))) return peer;
  let address = peer;
  for (const hop of forwarded.split(',').reverse()) {
    const next = toPlainAddress(hop.trim());
    if (isIP(next) === 0) return address;
    address = next;
    if (!isTrusted(address)) return address;
  }
  return address;
}

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
