/** Encodes frames of HTTP/2 (RFC 9113), valid or not. */

export const FRAME_TYPES = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAGS = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** The preface that a client sends first. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

interface Frame {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Buffer;
  /** The length that the frame claims, if it is not its real one. */
  readonly length?: number;
}

export function toFrame({
  type,
  flags = 0,
  stream = 0,
  payload = Buffer.alloc(0),
  length = payload.byteLength,
}: Frame): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Encodes headers in the plainest HPACK (RFC 7541): literals that are not indexed. */
function toHeaderBlock(fields: Fields): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), toLiteral(name), toLiteral(value)]));
}

const PREFIX_MAX = 127;

function toLiteral(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const length = [Math.min(bytes.byteLength, PREFIX_MAX)];
  if (bytes.byteLength >= PREFIX_MAX) {
    let rest = bytes.byteLength - PREFIX_MAX;
    for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** Encodes the complete head of a request. */
export function toHead(stream: number, fields: Fields, flags: number = FLAGS.endHeaders | FLAGS.endStream): Buffer {
  return toFrame({ type: FRAME_TYPES.headers, flags, stream, payload: toHeaderBlock(fields) });
}

/** Returns the types of the received frames. */
export function frameTypesIn(bytes: Buffer): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.byteLength; at += 9 + bytes.readUIntBE(at, 3)) types.push(bytes.readUInt8(at + 3));
  return types;
}
