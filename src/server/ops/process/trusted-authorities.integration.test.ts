import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '#sql/postgres.ts';
import { createProvider } from '#server/people/oidc/provider.ts';
import { openTokenKeys } from '#server/people/proxy/token-keys.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { readSettings } from './settings.ts';

const trusted = getCACertificates('default');
const certificate = makeSelfSigned(Date.now());

afterEach(() => {
  setDefaultCACertificates(trusted);
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Trusts the authority of the tests as a start does. */
function trust(text = certificate.cert): ReturnType<typeof readSettings> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-ca-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'ca.pem');
  writeFileSync(file, text);
  return readSettings({ DESK_CA_FILE: file, DESK_DATA_DIR: folder });
}

const ADVICE = /not trusted.*if its authority is your own, set DESK_CA_FILE/;

/** Returns the reasons in the log. */
function openLog() {
  const reasons: unknown[] = [];
  return {
    reasons,
    log: (_: string, __: string, fields?: unknown) => void reasons.push((fields as { readonly reason: string }).reason),
  };
}

async function openHttps(): Promise<string> {
  const server = createHttpsServer(certificate, ({ url = '' }, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(
        JSON.stringify(
          url === '/keys'
            ? { keys: [] }
            : { issuer: address, authorization_endpoint: `${address}/a`, token_endpoint: `${address}/t` },
        ),
      );
  });
  const address = `https://127.0.0.1:${String(await listen(server))}`;
  return address;
}

test('an OpenID provider is reached once its authority is in DESK_CA_FILE; before that, the log says so', async () => {
  const issuer = await openHttps();
  const { log, reasons } = openLog();
  const { configuration } = createProvider(
    {
      kind: 'oidc',
      issuer,
      clientId: 'desk',
      clientSecret: null,
      scope: 'openid',
      groupsClaim: 'groups',
      refreshSeconds: 0,
    },
    { elapsed: () => 0, log },
  );
  await expect(configuration()).rejects.toThrow();
  expect(reasons).toEqual([expect.stringMatching(ADVICE)]);
  expect(trust().problems).toBeNull();
  expect((await configuration()).serverMetadata().issuer).toBe(issuer);
});

test('so are the keys of a proxy’s tokens', async () => {
  const url = `${await openHttps()}/keys`;
  const { log, reasons } = openLog();
  const load = () => openTokenKeys({ url }, { log, schedule: () => () => undefined });
  load();
  await expect.poll(() => reasons).toEqual([expect.stringMatching(ADVICE)]);
  trust();
  const keys = load();
  await expect(keys.getKey({ alg: 'RS256', kid: 'none' }, { payload: '', signature: '' })).rejects.toThrow(
    'no applicable key',
  );
  expect(reasons).toHaveLength(1);
});

/** A server that speaks only the beginning of PostgreSQL’s protocol: it accepts TLS, and closes. */
async function openDatabase() {
  const met: string[] = [];
  const port = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate) });
        secure
          .on('error', () => undefined)
          .once('data', () => {
            met.push('a startup message');
            secure.destroy();
          });
      });
    }),
  );
  return { met, url: `postgres://desk@127.0.0.1:${String(port)}/desk?sslmode=verify-full` };
}

test('so is a PostgreSQL server', async () => {
  const { url, met } = await openDatabase();
  await expect(openPostgres(url)).rejects.toThrow(ADVICE);
  expect(met).toEqual([]);
  trust();
  await expect(openPostgres(url)).rejects.toThrow('closed the connection');
  expect(met).toEqual(['a startup message']);
});

test.each([
  ['', 'holds no certificate in PEM'],
  [certificate.key, 'holds no certificate in PEM'],
  [certificate.cert.replace(/\n[\w+/]{9}/, '\nAAAAAAAAA'), 'holds a certificate that cannot be read'],
])('a file without authorities is a mistake', (text, problem) => {
  expect(trust(text).problems).toEqual([expect.stringMatching(`^DESK_CA_FILE is ".*/ca.pem", which ${problem}`)]);
});
