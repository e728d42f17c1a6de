import { BlockList, isIP, isIPv6 } from 'node:net';

/** A set of network addresses and subnets. */
export type Subnets = (address: string) => boolean;

/** Returns null if one of them is neither an address nor a subnet such as `10.0.0.0/8`. */
export function parseSubnets(texts: readonly string[]): Subnets | null {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', length, ...others] = text.split('/');
    const version = isIP(address);
    if (version === 0 || others.length > 0) return null;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined) list.addAddress(address, family);
    else if (isPrefixLength(length, version)) list.addSubnet(address, Number(length), family);
    else return null;
  }
  return (address) => {
    const plain = toPlainAddress(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function isPrefixLength(text: string, version: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= (version === 4 ? 32 : 128);
}

/** Converts an IPv4 address that a dual-stack socket shows as IPv6. */
export function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** A provider gives each customer at least this much of IPv6, who can send from any address in it. */
const IPV6_GROUPS = 4;

/** Returns what one customer has: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: Math.max(zeros, 0) }, () => '0'), ...after];
  return all
    .slice(0, IPV6_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');

/** Whether a host name or address means this machine and is unreachable from others. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && loopbackAddresses.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
