import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Viewer } from '../viewer.ts';

/** What the actions of this room need to know of a request. */
export interface Requesting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly viewer: Viewer;
}

/** The network address that a request comes from. */
export type AddressOf = (request: IncomingMessage) => string;

/** Of the other end of the connection; a Unix socket has none. */
export function peerAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}
