import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { toPlainAddress, type Subnets } from '#server/core/subnets.ts';

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
