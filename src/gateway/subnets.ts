import { BlockList, isIP } from 'node:net';

/** A list of network addresses and subnets. */
export type Subnets = (address: string) => boolean;

/** Null if one of them is neither an address nor a subnet such as `10.0.0.0/8`. */
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

/** A socket that accepts both versions shows IPv4 addresses as IPv6. */
export function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
