import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

export interface ReceivedNotification {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The id, which is the same at each attempt of a Standard Webhook. */
  readonly id: string;
  readonly text: string;
  /** Whether the signature is valid; only for a Standard Webhook. */
  readonly isSigned: boolean;
}

export type Reply = (response: ServerResponse, request: IncomingMessage, notification: ReceivedNotification) => void;

/** A receiver of webhooks that verifies them with the library of Standard Webhooks. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly notifications: readonly ReceivedNotification[];
  /** Sets how it responds from now on. */
  readonly replies: (reply: Reply) => void;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export const accepts: Reply = (response) => {
  response.writeHead(204).end();
};

export function respondsWith(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Reply {
  return (response) => {
    response.writeHead(status, headers).end(body);
  };
}

export async function openReceiver({
  certificate,
  now = Date.now,
}: {
  readonly certificate?: { readonly key: string; readonly cert: string };
  readonly now?: () => number;
} = {}): Promise<Receiver> {
  const notifications: ReceivedNotification[] = [];
  let reply = accepts;
  let connections = 0;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    void buffer(request).then(
      (body) => {
        const notification = toNotification(request, body.toString(), now());
        notifications.push(notification);
        reply(response, request, notification);
      },
      () => undefined,
    );
  };
  const server = certificate === undefined ? createServer(handle) : createTlsServer(certificate, handle);
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${String(port)}/hooks/abcdefgh12345678`,
    port,
    notifications,
    replies: (next) => {
      reply = next;
    },
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toNotification({ url = '', headers }: IncomingMessage, text: string, now: number): ReceivedNotification {
  return { path: url, headers, id: String(headers['webhook-id'] ?? ''), text, isSigned: isSigned(headers, text, now) };
}

/**
 * Whether a webhook is signed. The library uses the system's clock, which the tests' servers need not share, so the
 * timestamp is compared here.
 */
function isSigned(headers: IncomingHttpHeaders, text: string, now: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  const isRecent = Math.abs(Number(timestamp) * 1_000 - now) < 300_000;
  return isRecent && new Webhook(SECRET).sign(id, new Date(Number(timestamp) * 1_000), text) === signature;
}

/** Returns the keys of the alerts that a Standard Webhook lists. */
export function keysOf({ text }: ReceivedNotification): readonly string[] {
  const { data } = JSON.parse(text) as { readonly data: { readonly events: readonly { readonly key: string }[] } };
  return data.events.map(({ key }) => key);
}
