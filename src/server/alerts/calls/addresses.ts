import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '#server/core/network.ts';

/** Finds all addresses of a host name. */
export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: Error | null, addresses?: LookupAddress[]) => void,
) => void;

/** Which addresses a channel may connect to. */
export interface Reach {
  /** The host of the setting. */
  readonly host: string;
  readonly allowsPrivate: boolean;
}

/** The address is not one that the setting allows. */
class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Addresses that are not of the public internet (https://www.iana.org/assignments/iana-ipv4-special-registry, iana-ipv6-special-registry). */
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
// In these, an IPv4 address may be hidden (Teredo, 6to4), or they are for documentation and local use.
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addRange(special, range, 'ipv6');

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', prefix] = range.split('/');
  list.addSubnet(net, Number(prefix), family);
}

/**
 * Only what is certainly public counts as such: an unknown form of address does not.
 *
 * @internal Exported for tests.
 */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Throws where the host is itself an address that is not allowed: connecting to one looks nothing up. */
export function checkLiteral(reach: Reach): void {
  if (isIP(reach.host) !== 0) check(reach.host, reach);
}

/** What a connection looks up is what it connects to, so a name cannot lead elsewhere after it has been checked. */
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
