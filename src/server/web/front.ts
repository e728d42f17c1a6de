import type { IncomingMessage } from 'node:http';
import { API_PREFIX } from '#contract/desk/desk.ts';
import { isLoopback, type Subnets, toPlainAddress } from '#server/core/network.ts';
import type { Handler, Log } from '#server/core/ports.ts';
import { arrivalOf, clientAddressOf, isHostOf, isLoopbackHost, noteArrival, UNIX_PEER } from './arrival.ts';
import { sendPlainError } from './plain-error.ts';

export interface FrontOptions {
  /** Origin at which people open the desk; null: only the loopback names are served. */
  readonly publicUrl: string | null;
  readonly isTrustedProxy: Subnets;
  /** Only proxies and this machine may connect: what others send would not be encrypted. */
  readonly isBehindProxy: boolean;
  /** It listens on a Unix socket, where no connection has an address. */
  readonly isOnSocket: boolean;
}

/** A desk that only its own machine reaches. */
const LOOPBACK_ONLY: FrontOptions = {
  publicUrl: null,
  isTrustedProxy: () => false,
  isBehindProxy: false,
  isOnSocket: false,
};

const ONE_YEAR = 'max-age=31536000';
const TUNNEL_SENTENCE = 'Open Perpdesk as localhost, 127.0.0.1 or [::1]: other host names are rejected.';

/**
 * Serves the loopback names, on any port, since a tunnel may change the port, and the public address. Any other name could
 * be an attacker's that points here (DNS rebinding), which would make their page our origin.
 */
export function createFront(handle: Handler, given: Partial<FrontOptions> = {}): Handler {
  const options = { ...LOOPBACK_ONLY, ...given };
  const { publicUrl } = options;
  const refusal =
    publicUrl === null ? TUNNEL_SENTENCE : `Open Perpdesk as ${publicUrl}: other host names are rejected.`;
  const findMistake = (host: string): readonly [status: number, sentence: string] | null => {
    if (!isLoopbackHost(host) && (publicUrl === null || !isHostOf(publicUrl, host))) return [421, refusal];
    // Addresses of this desk are made of it.
    return URL.canParse(`http://${host}`) ? null : [400, 'The port of the host must be at most 65535.'];
  };
  let lastServed: string | null = null;
  return async (request, response) => {
    // Its client has reset the connection, which then no longer tells where it came from.
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
 * From the raw headers: `request.headers` only shows the first of several. In HTTP/2 the host is `:authority`; where a
 * client sends both, they have to be equal.
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
 * Makes browsers insist on TLS at the public address, and where a tunnel reports that they used it, under a name that is
 * not a loopback name: for `localhost` that would lock out every other server on this machine. The header grants no
 * access, so it needs no proof.
 */
function insistsOnTls({ headers }: IncomingMessage, host: string, publicUrl: string | null): boolean {
  if (publicUrl?.startsWith('https:') === true && !isLoopbackHost(host)) return true;
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': forwarded } = headers;
  return protocol === 'https' && typeof forwarded === 'string' && forwarded !== '' && !isLoopbackHost(forwarded);
}

const REASON =
  'A request came over the Unix socket without X-Forwarded-For, so all clients count as one network: limits, and waits after failed sign-ins, apply to all of them together. Configure the proxy in front of Perpdesk to send the address of its client in X-Forwarded-For.';

/** Says once in the log that nobody in front of the Unix socket names its clients. Probes, which have none, need not. */
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
