import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { API_PREFIX } from '#contract/desk/desk.ts';
import { isLoopback, type Subnets, toPlainAddress } from '#server/core/network.ts';
import type { Handler, Log } from '#server/core/ports.ts';
import { sendPlainError } from './error-responses.ts';

export interface FrontOptions {
  /** The origin at which people open Perpdesk; null if only the loopback names are served. */
  readonly publicUrl: string | null;
  readonly isTrustedProxy: Subnets;
  /** Whether only proxies and this machine may connect, because other traffic would not be encrypted. */
  readonly isBehindProxy: boolean;
  /** Whether it listens on a Unix socket, where connections have no address. */
  readonly isOnSocket: boolean;
}

/** For a server that only its own machine can reach. */
const LOOPBACK_ONLY: FrontOptions = {
  publicUrl: null,
  isTrustedProxy: () => false,
  isBehindProxy: false,
  isOnSocket: false,
};

const ONE_YEAR = 'max-age=31536000';
const TUNNEL_SENTENCE = 'Open Perpdesk as localhost, 127.0.0.1 or [::1]: other host names are rejected.';

/**
 * Serves the loopback names, on any port because a tunnel may change it, and the public address. Any other name could
 * be an attacker’s that points here (DNS rebinding), which would make their page our origin.
 */
export function createFront(handle: Handler, given: Partial<FrontOptions> = {}): Handler {
  const options = { ...LOOPBACK_ONLY, ...given };
  const { publicUrl } = options;
  const rejection =
    publicUrl === null ? TUNNEL_SENTENCE : `Open Perpdesk as ${publicUrl}: other host names are rejected.`;
  const findMistake = (host: string): readonly [status: number, sentence: string] | null => {
    if (!isLoopbackHost(host) && (publicUrl === null || !isHostOf(publicUrl, host))) return [421, rejection];
    // Our own addresses are built from the host.
    return URL.canParse(`http://${host}`) ? null : [400, 'The port of the host must be at most 65535.'];
  };
  let lastServed: string | null = null;
  return async (request, response) => {
    // The client has reset the connection, which then no longer has an address.
    if (!options.isOnSocket && request.socket.remoteAddress === undefined) {
      response.destroy();
      return;
    }
    const [host, ...others] = hostsOf(request);
    if (host === undefined || others.length > 0) {
      sendPlainError(response, 400, 'A request must name exactly one host.', { connection: 'close' });
      return;
    }
    const mistake = host === lastServed ? null : findMistake(host);
    if (mistake !== null) {
      sendPlainError(response, ...mistake, { connection: 'close' });
      return;
    }
    lastServed = host;
    if (options.isBehindProxy && !isAdmitted(request, options)) {
      sendPlainError(response, 403, `Open Perpdesk as ${publicUrl ?? ''}: this port is for its proxy only.`, {
        connection: 'close',
      });
      return;
    }
    if (insistsOnTls(request, host, publicUrl)) response.setHeader('strict-transport-security', ONE_YEAR);
    noteArrival(request, { address: clientAddressOf(request, options.isTrustedProxy), host, publicUrl, response });
    await handle(request, response);
  };
}

/**
 * Reads the raw headers, because `request.headers` only shows the first of several. In HTTP/2, the host is
 * `:authority`; if a client sends both, they must be equal.
 */
function hostsOf({ rawHeaders, httpVersionMajor }: IncomingMessage): readonly string[] {
  const valuesOf = (name: string): readonly string[] =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
  const hosts = valuesOf('host');
  if (httpVersionMajor === 1) return hosts;
  const [authority] = valuesOf(':authority');
  return authority === undefined || (hosts.length === 1 && hosts[0] === authority) ? hosts : [authority, ...hosts];
}

function isAdmitted({ socket: { remoteAddress = '' } }: IncomingMessage, { isTrustedProxy }: FrontOptions): boolean {
  return isLoopback(toPlainAddress(remoteAddress)) || isTrustedProxy(remoteAddress);
}

/**
 * Whether browsers must use TLS from now on: at the public address, and if a tunnel reports that they used it under a
 * name other than a loopback name. For `localhost`, that would lock out every other server on this machine. The header
 * grants no access, so it needs no proof.
 */
function insistsOnTls({ headers }: IncomingMessage, host: string, publicUrl: string | null): boolean {
  if (publicUrl?.startsWith('https:') === true && !isLoopbackHost(host)) return true;
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': forwarded } = headers;
  return protocol === 'https' && typeof forwarded === 'string' && forwarded !== '' && !isLoopbackHost(forwarded);
}

const REASON =
  'A request came over the Unix socket without X-Forwarded-For, so all clients count as one network: ' +
  'limits, and waits after failed sign-ins, apply to all of them together. Configure the proxy in ' +
  'front of Perpdesk to send the address of its client in X-Forwarded-For.';

/**
 * Warns once in the log if the proxy in front of the Unix socket does not report its clients’ addresses. Probes have
 * none to report.
 */
export function warnOfUnnamedClients(handle: Handler, log: Log): Handler {
  let isSaid = false;
  return (request, response) => {
    if (!isSaid && arrivalOf(request).address === UNIX_PEER && request.url?.startsWith(API_PREFIX) === true) {
      isSaid = true;
      log('warn', 'clients not named', { reason: REASON });
    }
    return handle(request, response);
  };
}

/** How a request reached the server. */
interface Arrival {
  /** The client's network address; behind a trusted proxy, the one that the proxy reports. */
  readonly address: string;
  /** The one host that the request names, with its port. */
  readonly host: string;
  /** The origin at which people open Perpdesk; null if only the loopback names are served. */
  readonly publicUrl: string | null;
  readonly response: ServerResponse | null;
}

const ARRIVAL = Symbol('arrival');

/** Kept on the request itself: a look-up elsewhere would cost more than all the work done so far. */
type Arrived = IncomingMessage & { [ARRIVAL]?: Arrival };

/** @internal Exported for its test. */
export function noteArrival(request: Arrived, arrival: Arrival): void {
  request[ARRIVAL] = arrival;
}

/** Returns how a request arrived; for one that did not pass `createFront`, only what the connection itself proves. */
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

/** Returns the origin of the pages that this request belongs to. */
export function ownOriginOf(request: IncomingMessage): string {
  const { host, publicUrl } = arrivalOf(request);
  if (publicUrl !== null && (!isLoopbackHost(host) || request.headers.origin === publicUrl)) return publicUrl;
  return `${'encrypted' in request.socket ? 'https' : 'http'}://${host}`;
}

/** Returns the origin at which people open Perpdesk, even if a proxy or tunnel changes the host. */
export function homeOf(request: IncomingMessage): string {
  return arrivalOf(request).publicUrl ?? ownOriginOf(request);
}

/** Whether the origin is ours. A proxy may change the host, but then Perpdesk is reached at the public address. */
export function isOwnOrigin(origin: string, { host, publicUrl }: Arrival): boolean {
  if (origin === publicUrl) return true;
  return isLoopbackHost(host) && URL.parse(origin)?.host === host.toLowerCase();
}

/** The address of a client on a Unix socket, if no proxy reports one. */
export const UNIX_PEER = 'unix socket';

/**
 * Returns the address of the client. A trusted proxy appends the address it sees to `X-Forwarded-For`, so the last one
 * that is not itself a trusted proxy is the client’s; anyone could have written those before it.
 *
 * @internal Exported for its test.
 */
export function clientAddressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isTrusted: Subnets,
): string {
  const peer = socket.remoteAddress === undefined ? UNIX_PEER : toPlainAddress(socket.remoteAddress);
  const forwarded = headers['x-forwarded-for'];
  // Only users to whom the owner gave access can open the Unix socket.
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

/** Whether the host is one of this machine’s loopback names, with or without a port. */
function isLoopbackHost(host: string): boolean {
  const { address, name } = hostPattern.exec(host)?.groups ?? {};
  return isLoopback(address ?? name ?? '');
}

/** Whether the host is that of an origin, with or without the scheme’s default port. */
function isHostOf(origin: string, host: string): boolean {
  const { host: expected, port, protocol } = new URL(origin);
  const named = host.toLowerCase();
  return named === expected || (port === '' && named === `${expected}:${protocol === 'https:' ? '443' : '80'}`);
}
