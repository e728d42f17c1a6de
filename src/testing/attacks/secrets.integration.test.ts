import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { responds, resets, thenEnds, writes, type Behaviour } from '../faults/behaviours.ts';
import { openFaultyVenue, type FaultyVenue } from '../faults/faulty-venue.ts';
import { buildApp } from '../build-app.ts';
import { startDeskProcess, type DeskProcess, type DeskProcessOptions } from './desk-process.ts';
import { findSecret } from './find-secret.ts';
import { sendAndReadAll } from './raw-responses.ts';

const TOKEN = '0badc0de5ca1ab1e'.repeat(2) + '7f3a91c4e8d20b65'.repeat(2);
const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'perpdesk-secrets-'));
const tokenFile = join(folder, 'token-file');
writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
const openTokenFile = join(folder, 'open-token-file');
writeFileSync(openTokenFile, `${TOKEN}\n`, { mode: 0o644 });
let venue: FaultyVenue;
let folders = 0;

beforeAll(async () => {
  venue = await openFaultyVenue({ now: Date.now });
  await buildApp();
}, 120_000);

afterAll(async () => {
  await venue.close();
  rmSync(folder, { recursive: true });
});

const byVariable = { DESK_AUTH_TOKEN: TOKEN };
const byFile = { DESK_AUTH_TOKEN_FILE: tokenFile };

interface Started extends DeskProcess {
  readonly dataDir: string;
}

async function start(
  environment: Readonly<Record<string, string>>,
  options: Partial<DeskProcessOptions> = {},
): Promise<Started> {
  const dataDir = join(folder, `data-${String((folders += 1))}`);
  const usual = {
    DESK_VENUE_URL: venue.baseUrl,
    DESK_CONNECTION_ID: '3f',
    DESK_PORT: '0',
    DESK_BUDGET: '0',
    DESK_DATA_DIR: dataDir,
    DESK_LOG_LEVEL: 'debug',
  };
  return { ...(await startDeskProcess({ ...options, environment: { ...usual, ...environment } })), dataDir };
}

const GOOD_PATHS = [
  '/api/orders?account_id=a',
  '/api/orders/working',
  '/api/funding-rates/?begin_time=2020-01-01T00:00:00Z&end_time=2020-02-01T00:00:00Z',
  '/api/web/market/stats/trailing/all-products',
  '/api/desk/products',
  '/api/desk/working',
  '/api/desk/status',
  '/api/desk/policy',
  '/healthz',
  '/readyz',
  '/metrics',
  '/',
];
const BAD_PATHS = [
  '/api/orders?limit=0',
  '/api/nothing',
  '/api/orders%00',
  `/api/orders?${'x'.repeat(9_000)}`,
  '/.env',
  '/src/serve.ts',
  '/.perpdesk/gateway.sqlite',
];

const echo: Behaviour = (socket, request) => {
  responds({ status: 500, headers: { 'content-type': 'text/plain' }, body: request.headers.join('; ') })(
    socket,
    request,
  );
};

const FAULTS: readonly (readonly [name: string, behaviour: Behaviour])[] = [
  ['echo', echo],
  ['400', responds({ status: 400, body: 'account_id is unknown' })],
  ['404', responds({ status: 404, body: '' })],
  ['500', responds({ status: 500, body: '{"error":"broken"}' })],
  ['502', responds({ status: 502, headers: { 'content-type': 'text/html' }, body: '<html>bad gateway</html>' })],
  ['redirect', responds({ status: 302, headers: { location: 'https://evil.example/' } })],
  ['not json', responds({ headers: { 'content-type': 'text/html' } })],
  ['not gzip', responds({ headers: { 'content-encoding': 'gzip' } })],
  ['cut', thenEnds(responds({ headers: { 'content-length': '5000' } }))],
  ['rubbish', writes('\0\0\0 rubbish\r\n\r\n')],
  ['reset', resets],
  // This request comes last, because the key is paused after it.
  ['401', responds({ status: 401, body: '' })],
];

/** Sends a request that is new each time, as a prefetch, so that it reaches the exchange once. */
async function send(address: string, path: string): Promise<string> {
  const all = await sendAndReadAll(
    address,
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\ndesk-purpose: prefetch\r\nconnection: close\r\n\r\n`,
  );
  return JSON.stringify(all);
}

async function askEverything(address: string): Promise<string> {
  const said: string[] = [];
  for (const path of [...GOOD_PATHS, ...BAD_PATHS]) said.push(await send(address, path));
  for (const [index, [, behaviour]] of FAULTS.entries()) {
    venue.alwaysDoes(behaviour);
    said.push(
      await send(address, `/api/orders?product_id=${String(index + 1)}`),
      await send(address, '/api/desk/status'),
    );
    venue.alwaysDoes(responds());
    said.push(await send(address, `/api/funding-rates/?product_id=${String(index + 1)}`));
  }
  // Everything else is paused after this one.
  venue.alwaysDoes(responds({ status: 403, body: '' }));
  said.push(await send(address, '/api/funding-rates/estimated/BTC'));
  venue.alwaysDoes(responds());
  said.push(
    await send(address, '/metrics'),
    await send(address, '/readyz'),
    await send(address, '/api/desk/working'),
    JSON.stringify(await sendAndReadAll(address, 'rubbish\r\n\r\n')),
  );
  return said.join('\n');
}

function readFolder(path: string): readonly (readonly [name: string, bytes: Buffer])[] {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]);
}

function expectNoSecretIn(outputs: Iterable<readonly [name: string, output: string | Buffer]>): void {
  for (const [name, output] of outputs)
    expect({ name, secret: findSecret(output, TOKEN) }).toEqual({ name, secret: null });
}

describe('the key is nowhere but in the signature', () => {
  it.each([
    ['given as a variable', byVariable, 'debug'],
    ['given as a file', byFile, 'debug'],
    ['given as a variable, at the usual level of the log', byVariable, 'info'],
  ] as const)('%s', { timeout: 60_000 }, async (_, secret, level) => {
    const desk = await start({ ...secret, DESK_LOG_LEVEL: level });
    const { address } = desk;
    if (address === null) throw new Error(desk.output());
    const responded = await askEverything(address);
    // The output is captured while the program runs, and again after its end.
    const kept = [...readFolder(desk.dataDir)];
    desk.signal('SIGTERM');
    expect(await desk.ended).toBe(0);
    expectNoSecretIn([['answers', responded], ['log', desk.output()], ...kept, ...readFolder(desk.dataDir)]);
    // This proves that there was something to find: the program handled requests, failed in every way, signed, and
    // stored data.
    const types = new Set([...responded.matchAll(/urn:perpdesk:problem:([a-z-]+)/g)].map(([, type]) => type));
    expect([...types].sort()).toEqual([
      'address-too-long',
      'bad-parameter',
      'budget-spent',
      'key-refused',
      'not-found',
      'not-in-the-interface',
      'venue-answer-unreadable',
      'venue-fault',
      'venue-unreachable',
    ]);
    expect(venue.requests.flatMap(({ headers }) => headers).join('\n')).toMatch(/btnl-signature: \S{44}/i);
    expect(kept.map(([name]) => name)).toContain('gateway.sqlite');
    expect(statSync(desk.dataDir).mode & 0o077).toBe(0);
    expect(desk.output().split('\n').length).toBeGreaterThan(level === 'debug' ? 40 : 5);
  });

  it('nor in the code that a browser gets', () => {
    const files = readFolder(join(root, 'dist'));
    expect(files.length).toBeGreaterThan(3);
    expectNoSecretIn(files);
  });
});

describe('mistakes in the settings are reported without the key', () => {
  it.each([
    ['a key that is too long', { DESK_AUTH_TOKEN: `${TOKEN}0` }],
    ['a key that is too short', { DESK_AUTH_TOKEN: TOKEN.slice(1) }],
    ['a key in quotes', { DESK_AUTH_TOKEN: `"${TOKEN}"` }],
    ['the key twice', { ...byVariable, ...byFile }],
    ['the key in place of its file', { DESK_AUTH_TOKEN_FILE: TOKEN }],
    ['the key’s start in place of its file', { DESK_AUTH_TOKEN_FILE: TOKEN.slice(0, 40) }],
    ['the key and the connection exchanged', { DESK_AUTH_TOKEN: '3f', DESK_CONNECTION_ID: TOKEN }],
    ['the key’s file instead of an exchange’s profile', { ...byVariable, DESK_VENUE: tokenFile }],
    ['the key instead of an exchange', { ...byVariable, DESK_VENUE: TOKEN }],
    ['the key in place of a budget', { ...byVariable, DESK_BUDGET: TOKEN }],
    ['the key in place of a port', { ...byVariable, DESK_PORT: TOKEN }],
    ['the key in place of an address', { ...byVariable, DESK_HOST: TOKEN }],
    ['the key in place of an environment', { ...byVariable, DESK_VENUE_ENV: `${TOKEN}!` }],
    ['the key as an environment', { ...byVariable, DESK_VENUE_ENV: TOKEN }],
    ['the key in a file that others may read', { DESK_AUTH_TOKEN_FILE: openTokenFile }],
    ['the key in place of a level', { ...byVariable, DESK_LOG_LEVEL: TOKEN }],
    ['the key in the exchange’s address', { ...byVariable, DESK_VENUE_URL: `http://3f:${TOKEN}@127.0.0.1:1/` }],
  ])('%s', async (_, environment) => {
    const desk = await start(environment);
    expect({ address: desk.address, code: await desk.ended }).toEqual({ address: null, code: 1 });
    expect(desk.output()).toMatch(/^perpdesk: DESK_[A-Z_]+/m);
    expectNoSecretIn([['said', desk.output()]]);
  });
});

/** Throws an error that contains the key, as careless code might. */
const crashBy = (signal: string, how: string): string =>
  `import { readFileSync } from 'node:fs';
   const token = process.env.DESK_AUTH_TOKEN ?? readFileSync(process.env.DESK_AUTH_TOKEN_FILE, 'utf8').trim();
   process.once('${signal}', () => { ${how}(Object.assign(new Error('on purpose', { cause: { token } }), { credential: { token } })); });`;

describe('a crash is reported without the key', () => {
  it.each([
    ['uncaught', byVariable, '((error) => { throw error; })'],
    ['uncaught, with the key in a file', byFile, '((error) => { throw error; })'],
    ['in an unhandled rejection', byVariable, 'Promise.reject.bind(Promise)'],
  ])('an error %s', async (_, secret, how) => {
    const desk = await start(secret, {
      nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(crashBy('SIGUSR2', how))}`],
    });
    desk.signal('SIGUSR2');
    expect(await desk.ended).toBe(1);
    const crashed = desk
      .output()
      .split('\n')
      .find((line) => line.includes('"crashed"'));
    expect(JSON.parse(crashed ?? '{}')).toMatchObject({
      level: 'error',
      event: 'crashed',
      reason: expect.stringMatching(/^Error: on purpose\n {4}at /) as string,
    });
    expectNoSecretIn([['said', desk.output()], ...readFolder(desk.dataDir)]);
  });

  it('a diagnostic report, which prints the environment', async () => {
    const reports = mkdtempSync(join(folder, 'reports-'));
    const desk = await start(byVariable, {
      nodeOptions: [
        '--report-on-signal',
        '--report-signal=SIGUSR2',
        `--report-directory=${reports}`,
        '--report-filename=report.json',
      ],
    });
    desk.signal('SIGUSR2');
    await expect.poll(desk.output).toContain('Node.js report completed');
    desk.signal('SIGTERM');
    expect(await desk.ended).toBe(0);
    const files = readFolder(reports);
    expect(files.map(([, bytes]) => bytes.toString()).join('')).toContain('DESK_VENUE_URL');
    expectNoSecretIn(files);
  });
});
