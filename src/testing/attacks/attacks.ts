import fc from 'fast-check';
import { FLAGS, FRAME_TYPES, PREFACE, toFrame, toHead } from './http2-frames.ts';
import { anyRequest } from './raw-requests.ts';
import { nearlyGoodTarget } from './targets.ts';

/** What an attacker does with one connection to a server with TLS. */
export interface Attack {
  /** The protocol of the connection: something that is not TLS, or HTTP inside it. */
  readonly within: 'tcp' | 'http/1.1' | 'h2';
  readonly pieces: readonly Buffer[];
  /**
   * How the connection ends, unless the server ends it. `hold` sends a byte now and then until the attacker loses
   * patience.
   */
  readonly ending: 'close' | 'half-close' | 'reset' | 'hold';
}

const ENDINGS = fc.constantFrom<Attack['ending']>('close', 'half-close', 'half-close', 'reset', 'hold');
const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

/** Encodes a TLS record with a handshake message whose lengths are right. */
function toHandshake(type: number, body: Buffer): Buffer {
  const head = Buffer.from([type, 0, body.byteLength >> 8, body.byteLength & 0xff]);
  const length = head.byteLength + body.byteLength;
  return Buffer.concat([Buffer.from([0x16, 3, 1, length >> 8, length & 0xff]), head, body]);
}

/** The parameters are TLS 1.2, no session, two ciphers, no compression and no extensions. */
const CLIENT_HELLO = toHandshake(
  1,
  Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32, 7), Buffer.from([0, 0, 4, 0xc0, 0x2b, 0x13, 0x01, 1, 0])]),
);

const anyHandshake: fc.Arbitrary<Buffer> = fc.oneof(
  bytes(300),
  fc
    .tuple(fc.constantFrom(0x14, 0x15, 0x16, 0x17, 0x80), bytes(300))
    .map(([type, body]) =>
      Buffer.concat([Buffer.from([type, 3, 1, body.byteLength >> 8, body.byteLength & 0xff]), body]),
    ),
  fc.tuple(fc.nat({ max: 255 }), bytes(300)).map(([type, body]) => toHandshake(type, body)),
  fc.nat({ max: CLIENT_HELLO.byteLength }).map((length) => CLIENT_HELLO.subarray(0, length)),
  fc
    .tuple(fc.nat({ max: CLIENT_HELLO.byteLength - 1 }), fc.nat({ max: 255 }))
    .map(([at, value]) =>
      Buffer.concat([CLIENT_HELLO.subarray(0, at), Buffer.from([value]), CLIENT_HELLO.subarray(at + 1)]),
    ),
  anyRequest.map((text) => Buffer.from(text, 'latin1')),
);

const ACTIONS = [
  'sign-in signIn',
  'invitation acceptInvitation',
  'sign-in/passkey signInWithPasskey',
  'sign-in/passkey/options beginPasskeySignIn',
];
const BODIES = [
  '{"name":"admin","password":"guess"}',
  '{"invitation":"none","password":"guess"}',
  '{"id":"x","name":"","response":"{}"}',
  '{',
  '[]',
  `{"name":"${'\ufdfa'.repeat(20_000)}","password":""}`,
];

const anyAction = fc.record({
  action: fc.constantFrom(...ACTIONS),
  body: fc.constantFrom(...BODIES).map((text) => Buffer.from(text)),
  missing: fc.constantFrom(0, 0, 1, 1_000),
});

/** Requests for actions from a client that has not signed in. The body may never end. */
const actionText = anyAction.map(({ action, body, missing }) => {
  const [path = '', name = ''] = action.split(' ');
  const head =
    `POST /api/desk/${path} HTTP/1.1\r\nhost: localhost\r\norigin: ` +
    `https://localhost\r\ndesk-action: ${name}\r\ncontent-type: ` +
    `application/json\r\ncontent-length: ${String(body.byteLength + missing)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
});

const anyHttp1: fc.Arbitrary<readonly Buffer[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: anyRequest.map((text) => Buffer.from(text, 'latin1')) },
    { weight: 1, arbitrary: actionText },
  ),
  { minLength: 1, maxLength: 4 },
);

type ToFrame = (stream: number) => Buffer;

const common = [
  [':scheme', 'https'],
  [':authority', 'localhost'],
] as const;
const anyHead: fc.Arbitrary<ToFrame> = fc
  .tuple(
    fc.oneof(nearlyGoodTarget, fc.constant('/')),
    fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'TRACE'),
    fc.constantFrom(FLAGS.endHeaders | FLAGS.endStream, FLAGS.endHeaders, FLAGS.endStream),
  )
  .map(
    ([path, method, flags]) =>
      (stream) =>
        toHead(stream, [[':method', method], [':path', path], ...common], flags),
  );
const anyTunnel: fc.Arbitrary<ToFrame> = fc
  .constantFrom<readonly (readonly [string, string])[]>(
    [[':authority', 'evil.example:443']],
    [
      [':authority', 'evil.example:443'],
      [':path', '/'],
    ],
    [[':protocol', 'websocket'], [':path', '/'], ...common],
  )
  .map((fields) => (stream) => toHead(stream, [[':method', 'CONNECT'], ...fields], FLAGS.endHeaders));
const actionHead: fc.Arbitrary<ToFrame> = anyAction.map(({ action, body, missing }) => (stream) => {
  const [path = '', name = ''] = action.split(' ');
  const head = toHead(
    stream,
    [
      [':method', 'POST'],
      [':path', `/api/desk/${path}`],
      ...common,
      ['origin', 'https://localhost'],
      ['desk-action', name],
      ['content-type', 'application/json'],
    ],
    FLAGS.endHeaders,
  );
  return Buffer.concat([
    head,
    toFrame({
      type: FRAME_TYPES.data,
      flags: missing === 0 ? FLAGS.endStream : 0,
      stream,
      payload: body.subarray(0, 16_000),
    }),
  ]);
});
const badHeaders: fc.Arbitrary<ToFrame> = bytes(100).map(
  (payload) => (stream) =>
    toFrame({ type: FRAME_TYPES.headers, flags: FLAGS.endHeaders | FLAGS.endStream, stream, payload }),
);
const reset: fc.Arbitrary<ToFrame> = fc
  .nat({ max: 14 })
  .map(
    (code) => (stream) =>
      Buffer.concat([
        toHead(stream, [[':method', 'GET'], [':path', '/'], ...common]),
        toFrame({ type: FRAME_TYPES.rstStream, stream, payload: Buffer.from([0, 0, 0, code]) }),
      ]),
  );
const ofConnection: fc.Arbitrary<ToFrame> = fc
  .tuple(
    fc.constantFrom(
      FRAME_TYPES.settings,
      FRAME_TYPES.ping,
      FRAME_TYPES.goAway,
      FRAME_TYPES.windowUpdate,
      FRAME_TYPES.priority,
    ),
    fc.constantFrom(4, 5, 6, 8, 12),
    fc.nat({ max: 255 }),
  )
  .map(
    ([type, length, value]) =>
      () =>
        toFrame({ type, payload: Buffer.alloc(length, value) }),
  );
const anyFrame: fc.Arbitrary<ToFrame> = fc
  .record({
    type: fc.nat({ max: 12 }),
    flags: fc.nat({ max: 255 }),
    payload: bytes(60),
    other: fc.constantFrom(0, 0, 2, 999),
    excess: fc.constantFrom(0, 0, 0, 1, 100_000),
  })
  .map(
    ({ type, flags, payload, other, excess }) =>
      (stream) =>
        toFrame({ type, flags, stream: other === 0 ? stream : other, payload, length: payload.byteLength + excess }),
  );

const sound = fc.oneof(
  { weight: 4, arbitrary: anyHead },
  { weight: 2, arbitrary: anyTunnel },
  { weight: 2, arbitrary: actionHead },
  { weight: 2, arbitrary: reset },
);
const broken = fc.oneof(badHeaders, ofConnection, anyFrame);

/** Valid frames and, possibly, an invalid one, at which the server closes the connection. */
const anyFrames: fc.Arbitrary<readonly Buffer[]> = fc
  .tuple(fc.array(sound, { maxLength: 20 }), fc.array(broken, { maxLength: 2 }), fc.boolean())
  .map(([first, last, hasPreface]) => {
    const frames = [...first, ...last].map((make, index) => make(2 * index + 1));
    return hasPreface || first.length > 0 ? [PREFACE, toFrame({ type: FRAME_TYPES.settings }), ...frames] : frames;
  });

export const anyAttack: fc.Arbitrary<Attack> = fc.oneof(
  fc.record({ within: fc.constant('tcp' as const), pieces: fc.array(anyHandshake, { maxLength: 2 }), ending: ENDINGS }),
  fc.record({ within: fc.constant('http/1.1' as const), pieces: anyHttp1, ending: ENDINGS }),
  fc.record({ within: fc.constant('h2' as const), pieces: anyFrames, ending: ENDINGS }),
);
