import { isUnknownAuthority, TRUST_ADVICE } from '#files/unknown-authority.ts';
import type { ServerPorts, Schedule } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '#server/core/network.ts';
import type { Notification } from './notification.ts';

/** Sends notifications to one channel. */
export interface Sender {
  readonly host: string;
  /** The most events that one notification may have. */
  readonly mostEvents: number;
  /** Rejects only if the signal is aborted; then it is unknown whether the notification arrived. */
  readonly send: (notification: Notification, signal: AbortSignal) => Promise<SendResult>;
}

export interface SenderDeps extends Pick<ServerPorts, 'now' | 'schedule'> {
  /** The address at which browsers reach the server; null if they cannot. */
  readonly deskUrl: () => string | null;
  readonly resolve?: Resolve | undefined;
}

/** Returns a signal that aborts with the given one or after the given time; `cancel` stops the timer. */
export function limitTime(
  signal: AbortSignal,
  milliseconds: number,
  schedule: Schedule,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const late = new AbortController();
  const cancel = schedule(milliseconds, () => {
    late.abort(new DOMException('It did not respond in time.', 'TimeoutError'));
  });
  return { signal: AbortSignal.any([signal, late.signal]), cancel };
}

/**
 * Makes a response safe to show: removes the channel's secrets, which a receiver may echo, and unprintable characters,
 * and shortens it.
 */
export type Redact = (text: string) => string;

const SHORTEST = 4;

/** Looks for each secret verbatim and in the forms that URLs, JSON and mail servers use. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf);
  // Longest first, because one form may contain another.
  const ordered = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return (text) => toPrintable(ordered.reduce((rest, form) => rest.replaceAll(form, '(secret)'), text));
}

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
}

/** The result of one attempt. */
export interface SendResult {
  /**
   * `refused`: the receiver rejects this notification, so repeating it helps little. `gone`: it accepts no more
   * notifications at all.
   */
  readonly outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  /** HTTP status or SMTP reply code; null if there was no response. */
  readonly status: number | null;
  /** A sentence that explains a failure; empty on success. */
  readonly reason: string;
  /** The beginning of the response. */
  readonly answer: string;
  /** The wait that the receiver requests before the next attempt. */
  readonly retryAfterMs: number | null;
}

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing is listening at its address',
  ECONNRESET: 'It closed the connection',
  EPIPE: 'It closed the connection',
  ESOCKET: 'It closed the connection',
  UND_ERR_SOCKET: 'It closed the connection',
  ENOTFOUND: 'Its host name does not exist',
  EDNS: 'Its host name cannot be resolved',
  EAI_AGAIN: 'Its host name cannot be resolved',
  ENETUNREACH: 'There is no route to it',
  EHOSTUNREACH: 'There is no route to it',
  ETIMEDOUT: 'It did not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'It did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'It did not respond in time',
  UND_ERR_HEADERS_OVERFLOW: 'Its response has headers that are too large',
  ETLS: 'It does not offer STARTTLS with a certificate that is trusted',
};

/** Describes an attempt that got no response. */
export function toFailedSend(error: unknown): SendResult {
  return { outcome: 'failed', status: null, reason: reasonOf(error), answer: '', retryAfterMs: null };
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'It did not respond in time.';
  const { code, message } = toCoded(error);
  if (code === null) return `${message}.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return `Its certificate is not trusted (${code})${isUnknownAuthority(code) ? `: ${TRUST_ADVICE}` : ''}.`;
  if (code.startsWith('HPE_')) return `Its response is not valid HTTP (${code}).`;
  return `${CODES[code] ?? 'It cannot be reached'} (${code}).`;
}

/**
 * An error that covers several addresses has no code of its own, and nodemailer hides the connection's code behind its
 * own.
 */
function toCoded(error: unknown): { readonly code: string | null; readonly message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return toCoded(error.errors[0]);
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  const { originalCode, code } = error as { readonly originalCode?: unknown; readonly code?: unknown };
  const found = originalCode ?? code;
  return { code: typeof found === 'string' ? found : null, message: error.message };
}

/** Resolves a host name to all its addresses. */
export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: Error | null, addresses?: LookupAddress[]) => void,
) => void;

/** The addresses that a channel may connect to. */
export interface Reach {
  /** The host from the settings. */
  readonly host: string;
  readonly allowsPrivate: boolean;
}

/** Thrown for an address that the settings do not allow. */
class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/**
 * Addresses outside the public internet (https://www.iana.org/assignments/iana-ipv4-special-registry,
 * iana-ipv6-special-registry).
 */
const special = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
  addRange(special, range, 'ipv4');
const publicIpv6 = new BlockList();
addRange(publicIpv6, '2000::/3', 'ipv6');
// Ranges that can embed an IPv4 address (Teredo, 6to4), or are reserved for documentation or local use.
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addRange(special, range, 'ipv6');

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', prefix] = range.split('/');
  list.addSubnet(net, Number(prefix), family);
}

/**
 * Returns true only for addresses that are certainly public, so false for an unknown format.
 *
 * @internal Exported for its test.
 */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * Throws if the host is itself a forbidden address: connecting to an address involves no look-up that could be guarded.
 */
export function checkLiteral(reach: Reach): void {
  if (isIP(reach.host) !== 0) check(reach.host, reach);
}

/** Checks the addresses that the connection then uses, so a name cannot resolve to another address after the check. */
export function createGuardedLookup(reach: Reach, resolve: Resolve = lookUp): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      const problem =
        error ?? findForbidden(addresses, reach) ?? (first === undefined ? new Error('no address') : null);
      if (problem !== null) done(problem, '', 0);
      else if (options.all === true) done(null, addresses);
      else done(null, first?.address ?? '', first?.family);
    });
  };
}

function findForbidden(addresses: readonly LookupAddress[], reach: Reach): Error | null {
  try {
    for (const { address } of addresses) check(address, reach);
    return null;
  } catch (error) {
    return error as Error;
  }
}

function check(address: string, { host, allowsPrivate }: Reach): void {
  if (isPublic(address) || allowsPrivate || (isLoopback(host) && isLoopback(address))) return;
  throw new ForbiddenAddress(
    `${host} leads to ${address}, which is not public: its setting must say that it is private`,
  );
}
