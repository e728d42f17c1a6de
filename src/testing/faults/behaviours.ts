import type { Socket } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  /** The header lines as received: `name: value`. */
  readonly headers: readonly string[];
  /** The time by the clock of server and exchange. */
  readonly at: number;
}

export type Behaviour = (socket: Socket, request: ReceivedRequest) => void;

export const GOOD_BODY = '[{"productId":1547,"volume":27,"notionalVolume":23658}]';

export interface ResponseOptions {
  readonly status?: number;
  /** The headers that replace the usual ones; null omits one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
}

/** Sends a complete response, by default a valid one. */
export function responds({ status = 200, headers = {}, body = GOOD_BODY }: ResponseOptions = {}): Behaviour {
  return (socket, { at }) => {
    const all = {
      'date': new Date(at).toUTCString(),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    };
    socket.write(headOf(status, all));
    socket.write(body);
  };
}

function headOf(status: number, headers: Readonly<Record<string, string | null>>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  return `HTTP/1.1 ${String(status)} Status\r\n${lines.join('')}\r\n`;
}

/** Sends these bytes. */
export function writes(...parts: readonly (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const part of parts) socket.write(part);
  };
}

/** Does `first`, then ends the connection. */
export function thenEnds(first: Behaviour): Behaviour {
  return (socket, request) => {
    first(socket, request);
    socket.end();
  };
}

/** Does `first`, then resets the connection. */
export function thenResets(first: Behaviour): Behaviour {
  return (socket, request) => {
    first(socket, request);
    // A reset discards what is still buffered, so it waits until everything is sent.
    socket.write('', () => {
      setImmediate(() => socket.resetAndDestroy());
    });
  };
}

/** Sends nothing and leaves the connection open. */
export const hangs: Behaviour = () => undefined;

export const resets: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

/** Does `first`, then sends a byte at regular intervals, forever. */
export function thenDrips(first: Behaviour, byte: string, everyMs: number): Behaviour {
  return (socket, request) => {
    first(socket, request);
    const timer = setInterval(() => socket.write(byte), everyMs);
    socket.once('close', () => {
      clearInterval(timer);
    });
  };
}

/** Does `first`, then sends a chunk repeatedly, as fast as it is read, up to a number of bytes. */
export function thenPours(first: Behaviour, chunk: Buffer, bytes: number): Behaviour {
  return (socket, request) => {
    first(socket, request);
    let left = bytes;
    const pour = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.byteLength;
        if (!socket.write(chunk)) return;
      }
      if (left <= 0) socket.off('drain', pour);
    };
    socket.on('drain', pour);
    pour();
  };
}
