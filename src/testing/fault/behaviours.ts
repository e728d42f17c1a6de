import type { Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  /** As they came: `name: value`. */
  readonly headers: readonly string[];
  /** By the clock that desk and venue share. */
  readonly at: number;
}

export type Behaviour = (socket: Socket, request: SeenRequest) => void;

export const GOOD_BODY = '[{"productId":1547,"volume":27,"notionalVolume":23658}]';

export interface ResponseOptions {
  readonly status?: number;
  /** Instead of the usual ones of this name; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
}

/** A whole answer. With nothing said otherwise, a good one. */
export function responds({ status = 200, headers = {}, body = GOOD_BODY }: ResponseOptions = {}): Behaviour {
  return (socket, { at }) => {
    const all = {
      date: new Date(at).toUTCString(),
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
  return `HTTP/1.1 ${String(status)} Said\r\n${lines.join('')}\r\n`;
}

/** These bytes, whatever they are. */
export function writes(...parts: readonly (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const part of parts) socket.write(part);
  };
}

/** What `first` does, and then the end of the connection, in order. */
export function thenEnds(first: Behaviour): Behaviour {
  return (socket, request) => {
    first(socket, request);
    socket.end();
  };
}

/** What `first` does, and then a reset, which leaves nothing in order. */
export function thenResets(first: Behaviour): Behaviour {
  return (socket, request) => {
    first(socket, request);
    // What was written goes out first: a reset throws away what still waits.
    socket.write('', () => {
      setImmediate(() => socket.resetAndDestroy());
    });
  };
}

/** Nothing at all, with the connection left open. */
export const hangs: Behaviour = () => undefined;

export const resets: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

/** What `first` does, and then a byte every so often, without end. */
export function thenDrips(first: Behaviour, byte: string, everyMs: number): Behaviour {
  return (socket, request) => {
    first(socket, request);
    const timer = setInterval(() => socket.write(byte), everyMs);
    socket.once('close', () => {
      clearInterval(timer);
    });
  };
}

/** What `first` does, and then a piece over and over, as fast as it is taken, up to so many bytes. */
export function thenPours(first: Behaviour, piece: Buffer, bytes: number): Behaviour {
  return (socket, request) => {
    first(socket, request);
    let left = bytes;
    const pour = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.byteLength;
        if (!socket.write(piece)) return;
      }
      if (left <= 0) socket.off('drain', pour);
    };
    socket.on('drain', pour);
    pour();
  };
}
