import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { parseSubnets } from '#server/core/network.ts';
import { clientAddressOf } from './arrival.ts';

const isTrusted = parseSubnets(['10.0.0.0/8', '::1']) ?? (() => false);

function addressOf(peer: string | undefined, forwarded?: string): string {
  const request = {
    socket: { remoteAddress: peer },
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  };
  return clientAddressOf(request as Pick<IncomingMessage, 'socket' | 'headers'>, isTrusted);
}

it.each([
  ['the peer, where no proxy is trusted', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['the peer, without the header', '10.0.0.7', undefined, '10.0.0.7'],
  ['an IPv4 peer of a socket for both versions', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['what a trusted proxy reports', '10.0.0.7', '203.0.113.9', '203.0.113.9'],
  ['what it reports on a socket for both versions', '::ffff:10.0.0.7', '203.0.113.9', '203.0.113.9'],
  [
    'the last that is no proxy, whatever the client wrote before',
    '10.0.0.7',
    '127.0.0.1, 203.0.113.9, 10.0.0.8',
    '203.0.113.9',
  ],
  ['the last before what is no address', '10.0.0.7', 'unknown, 10.0.0.8', '10.0.0.8'],
  ['the proxy, if it reports no address', '10.0.0.7', 'unknown', '10.0.0.7'],
  ['of a Unix socket what its proxy reports', undefined, '2001:db8::9', '2001:db8::9'],
  ['of a Unix socket without a proxy the socket', undefined, undefined, 'unix socket'],
])('the address is %s', (_, peer, forwarded, address) => {
  expect(addressOf(peer, forwarded)).toBe(address);
});
