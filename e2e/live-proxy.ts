import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough, Transform } from 'node:stream';

/** What happens to live streams on their way. All other requests pass. */
type LiveFault = 'none' | 'redirects' | 'forbids' | 'cuts' | 'keeps silent' | Damage;
/** What happens to individual events of a stream that otherwise passes. */
type Damage = 'drops deltas' | 'halves deltas' | 'changes checksums';

/** A proxy between browser and server, as companies have them. */
export interface LiveProxy {
  readonly address: string;
  readonly streams: () => number;
  /** The number of streams ever opened. */
  readonly opened: () => number;
  /** The number of events ever damaged. */
  readonly damaged: () => number;
  readonly setTarget: (address: string) => void;
  readonly setFault: (fault: LiveFault) => void;
  /** Breaks all open streams. */
  readonly breakStreams: () => void;
  readonly close: () => Promise<void>;
}

export async function openLiveProxy(first: string): Promise<LiveProxy> {
  let target = first;
  let fault: LiveFault = 'none';
  const sockets = new Set<Socket>();
  const streams = new Set<ServerResponse>();
  let opened = 0;
  let damaged = 0;

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const damage = isLive(request) ? DAMAGES[fault] : undefined;
    passOn(request, response, target, {
      isSilent: fault === 'keeps silent' && isLive(request),
      isPacked: damage === undefined,
      through:
        damage === undefined
          ? new PassThrough()
          : damageEvents(damage, () => {
              damaged += 1;
            }),
    });
  };

  const server = createServer((request, response) => {
    if (isLive(request)) {
      if (fault === 'redirects') return void response.writeHead(302, { location: '/sign-in' }).end();
      if (fault === 'forbids') return void response.writeHead(403, { 'content-type': 'text/html' }).end('<p>Not here.');
      if (fault === 'cuts') return void response.destroy();
      streams.add(response);
      opened += 1;
      response.once('close', () => streams.delete(response));
    }
    pass(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    streams: () => streams.size,
    opened: () => opened,
    damaged: () => damaged,
    setTarget: (address) => {
      target = address;
    },
    setFault: (next) => {
      fault = next;
    },
    breakStreams: () => {
      for (const response of streams) response.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Passing {
  readonly isSilent: boolean;
  readonly isPacked: boolean;
  readonly through: Transform;
}

function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  { isSilent, isPacked, through }: Passing,
): void {
  const { hostname, port } = new URL(target);
  const headers = isPacked ? request.headers : { ...request.headers, 'accept-encoding': 'identity' };
  const sent = httpRequest(
    { host: hostname, port, method: request.method ?? 'GET', path: request.url ?? '/', headers },
    (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      if (!isSilent) received.pipe(through).pipe(response);
      received.once('error', () => response.destroy());
    },
  );
  sent.once('error', () => response.destroy());
  response.once('close', () => sent.destroy());
  sent.end();
}

/** Returns what is left of each event. */
const DAMAGES: Readonly<Partial<Record<LiveFault, (event: string) => string>>> = {
  'drops deltas': (event) => (event.startsWith('event: delta') ? '' : event),
  'halves deltas': (event) => (event.startsWith('event: delta') ? `${event.slice(0, event.length / 2)}\n\n` : event),
  'changes checksums': (event) => event.replace(/"checksum":"[\da-f]+"/, '"checksum":"0"'),
};

function damageEvents(damage: (event: string) => string, onDamage: () => void): Transform {
  let rest = '';
  const decoder = new TextDecoder();
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      const events = (rest + decoder.decode(chunk, { stream: true })).split(/(?<=\n\n)/);
      rest = events.at(-1)?.endsWith('\n\n') === true ? '' : (events.pop() ?? '');
      const left = events.map((event) => {
        const after = damage(event);
        if (after !== event) onDamage();
        return after;
      });
      done(null, left.join(''));
    },
  });
}

function isLive({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/api/desk/live');
}
