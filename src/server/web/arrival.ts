import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackHost } from './host-names.ts';

/** How a request reached the desk. */
export interface Arrival {
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
