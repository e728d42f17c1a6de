import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect as connectSession } from 'node:http2';
import { get } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { FRAME_TYPES, PREFACE, toFrame } from '#testing/attacks/http2-frames.ts';
import { sendRequest } from '#testing/http-client.ts';
import { survive } from './server.ts';
import { createTlsServer, type TlsServer } from './connections.ts';

const pair = makeSelfSigned(Date.now());
const TIMES = { requestTimeout: 30_000, headersTimeout: 10_000 };

type Trigger = (port: number) => unknown;

function hold(socket: Socket): Socket {
  onTestFinished(() => {
    socket.destroy();
  });
  return socket.on('error', () => undefined).resume();
}

const plain =
  (bytes: string): Trigger =>
  (port) =>
    hold(connect(port, '127.0.0.1')).write(bytes);
const tls =
  (bytes: string | Buffer, options: ConnectionOptions = {}): Trigger =>
  (port) =>
    hold(connectTls({ port, host: '127.0.0.1', ca: pair.cert, ...options })).write(bytes);
const inHttp2 =
  (headers: Readonly<Record<string, string>>): Trigger =>
  (port) => {
    const session = connectSession(`https://127.0.0.1:${String(port)}`, { ca: pair.cert }).on('error', () => undefined);
    onTestFinished(() => {
      session.destroy();
    });
    session
      .request(headers)
      .on('error', () => undefined)
      .end();
  };

const get1 = (more = ''): string => `GET / HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;
const tunnel = 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n';
const h2 = { ALPNProtocols: ['h2'] };
const badFrame = toFrame({ type: FRAME_TYPES.settings, payload: Buffer.alloc(5) });

const OF_HTTP: Readonly<Record<string, Trigger>> = {
  connection: plain(get1()),
  request: plain(get1()),
  checkContinue: plain(get1('expect: 100-continue\r\n')),
  checkExpectation: plain(get1('expect: miracles\r\n')),
  upgrade: plain(get1('connection: upgrade\r\nupgrade: websocket\r\n')),
  connect: plain(tunnel),
  clientError: plain('HELLO\r\n\r\n'),
  dropRequest: plain(get1() + get1()),
  timeout: plain(''),
};

const OF_TLS: Readonly<Record<string, Trigger>> = {
  connection: tls(get1()),
  secureConnection: tls(get1()),
  tlsClientError: plain('HELLO\r\n\r\n'),
  keylog: tls(get1()),
  newSession: tls(get1(), { maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET }),
  OCSPRequest: tls(get1(), { requestOCSP: true }),
  clientError: tls('HELLO\r\n\r\n'),
  request: inHttp2({ ':path': '/' }),
  checkContinue: inHttp2({ ':path': '/', 'expect': '100-continue' }),
  checkExpectation: inHttp2({ ':path': '/', 'expect': 'miracles' }),
  connect: inHttp2({ ':method': 'CONNECT', ':authority': 'evil.example:443' }),
  stream: inHttp2({ ':path': '/' }),
  session: inHttp2({ ':path': '/' }),
  sessionError: tls(Buffer.concat([PREFACE, badFrame]), h2),
  timeout: tls(PREFACE, h2),
};

async function open(server: Server | TlsServer) {
  const reported: unknown[] = [];
  survive(server, (error) => reported.push(error));
  server.on('request', (_: unknown, response: { readonly end: (text: string) => void }) => {
    response.end('done');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { reported, port: (server.address() as AddressInfo).port };
}

async function expectSurvival(
  server: Server | TlsServer,
  event: string,
  trigger: Trigger,
  statusAt: (port: number) => Promise<number | undefined>,
): Promise<void> {
  const { reported, port } = await open(server);
  const failure = new Error(`thrown at ${event}`);
  const fail = (): never => {
    throw failure;
  };
  server.prependListener(event, fail);
  if (event === 'timeout') server.setTimeout(50);
  trigger(port);
  await expect.poll(() => reported).toContain(failure);
  server.off(event, fail);
  expect(await statusAt(port)).toBe(200);
}

it.each(Object.entries(OF_HTTP))('a listener of a server that throws at %s does not end it', async (event, trigger) => {
  const server = createServer();
  server.maxRequestsPerSocket = event === 'dropRequest' ? 1 : 0;
  await expectSurvival(
    server,
    event,
    trigger,
    async (port) => (await sendRequest(`http://127.0.0.1:${String(port)}`)).status,
  );
});

it.each(Object.entries(OF_TLS))(
  'a listener of a server with TLS that throws at %s does not end it',
  async (event, trigger) => {
    await expectSurvival(createTlsServer(pair, TIMES), event, trigger, async (port) => {
      const [response] = (await once(get({ port, host: '127.0.0.1', ca: pair.cert, agent: false }), 'response')) as [
        { readonly statusCode: number; readonly resume: () => void },
      ];
      response.resume();
      return response.statusCode;
    });
  },
);

it('an error of the server itself, such as too many open files, does not end it', async () => {
  const server = createServer();
  const { reported, port } = await open(server);
  const failure = new Error('accept EMFILE');
  server.emit('error', failure);
  expect(reported).toEqual([failure]);
  expect((await sendRequest(`http://127.0.0.1:${String(port)}`)).status).toBe(200);
});
