import type { IncomingMessage, ServerResponse } from 'node:http';
import { isWhole, onClose } from './request-context.ts';

/** Unknown: nothing has asked who it is, as nothing does for a page. */
type Sender = 'unknown' | 'nobody' | 'somebody';

/** A request in progress. */
interface HeldRequest {
  readonly network: string;
  sender: Sender;
  /** Calls back once it is over; at once where it is already. */
  readonly onEnd: (call: () => void) => void;
}

interface Held extends HeldRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly end: () => void;
}

/** Requests in progress, by network, the oldest first. */
interface HeldRequests {
  readonly hold: (request: IncomingMessage, response: ServerResponse, network: string) => HeldRequest;
  readonly find: (request: IncomingMessage) => HeldRequest | undefined;
  /**
   * Ends the oldest of a network’s requests by these senders that waits for its client, to send the rest of a body or to
   * take the response, so that nobody holds in vain a place that others need. False: there is none.
   */
  readonly endOne: (network: string, senders: readonly Sender[]) => boolean;
}

export function createHeldRequests(): HeldRequests {
  const byNetwork = new Map<string, Set<Held>>();
  const byRequest = new WeakMap<IncomingMessage, Held>();
  return {
    hold: (request, response, network) => {
      const calls: (() => void)[] = [];
      const others = byNetwork.get(network) ?? new Set();
      const end = (): void => {
        if (!others.delete(held)) return;
        if (others.size === 0) byNetwork.delete(network);
        for (const call of calls.splice(0)) call();
      };
      const onEnd = (call: () => void): void => {
        if (others.has(held)) calls.push(call);
        else call();
      };
      const held: Held = { request, response, network, sender: 'unknown', onEnd, end };
      byRequest.set(request, held);
      byNetwork.set(network, others.add(held));
      onClose(response, end);
      return held;
    },
    find: (request) => byRequest.get(request),
    endOne: (network, senders) => {
      const oldest = [...(byNetwork.get(network) ?? [])].find(
        (held) => senders.includes(held.sender) && waitsForClient(held),
      );
      oldest?.end();
      oldest?.response.destroy();
      return oldest !== undefined;
    },
  };
}

function waitsForClient({ request, response }: Held): boolean {
  return response.writableEnded || !isWhole(request);
}
