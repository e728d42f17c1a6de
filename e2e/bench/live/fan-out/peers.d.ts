/** The parts of the peer that are used here, so that types can be checked before a first benchmark run installs it. */

declare module 'better-sse' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  interface Session {
    readonly isConnected: boolean;
  }
  interface Channel {
    readonly register: (session: Session) => void;
    readonly broadcast: (data: unknown, eventName: string) => void;
  }
  export function createChannel(): Channel;
  export function createSession(
    request: IncomingMessage,
    response: ServerResponse,
    options: { readonly serializer: (data: unknown) => string; readonly keepAlive: null },
  ): Promise<Session>;
}
