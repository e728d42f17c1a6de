import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '#contract/desk/roles.ts';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createDeskServer, type DeskServer } from '#server/main/create-server.ts';
import type { ServerConfig } from '#server/main/server-config.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { CREDENTIAL } from '#venue/conformance/run-conformance.ts';
import { createHttpPerson, PASSWORD, type HttpPerson } from './http-person.ts';
import { invitationIn } from './people-desk.ts';

/** The accounts and firms whose orders a viewer may see. */
export interface Codes {
  readonly accounts?: readonly string[];
  readonly firms?: readonly string[];
  readonly connections?: readonly string[];
}

/** The permissions of a viewer. A token has fewer than its person, who may see all orders. */
export interface Granted {
  readonly roles: readonly Role[];
  readonly codes: Codes | 'all';
  readonly by: 'session' | 'token' | 'nothing';
}

/** A server to which all viewers are signed in. */
export interface ViewedDesk {
  readonly url: string;
  /** Returns the headers that make a request this viewer’s. */
  readonly headersOf: (viewer: string) => Readonly<Record<string, string>>;
  /** Returns a signed-in viewer as a person, who can also act. */
  readonly personOf: (viewer: string) => HttpPerson;
  /** Runs `perpdesk user`, and returns what it printed. */
  readonly user: (...args: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface SignedIn {
  readonly person: HttpPerson;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts a server on real sockets, with people who are signed in to it. */
export async function openViewedDesk(
  venueUrl: string,
  viewers: Readonly<Record<string, Granted>>,
  { budget = null, ...ports }: Partial<ServerPorts> & Partial<Pick<ServerConfig, 'budget'>> = {},
): Promise<ViewedDesk> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  // Every server of these tests has the same key, so that aliases and cursors can be compared.
  writeFileSync(join(dataDir, 'link-key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
  const desk = await openServer({ venueUrl, dataDir, budget }, ports);
  const server = createServer((request, response) => {
    void desk.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  desk.start();
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const user = async (...args: readonly string[]): Promise<string> =>
    (await desk.access.commands.user({ base: url, note: null, by: 'tests' })(args)).join('\n');
  const signedIn = new Map<string, SignedIn>();
  for (const [name, granted] of Object.entries(viewers)) signedIn.set(name, await signIn({ url, user }, name, granted));
  const find = (viewer: string): SignedIn => {
    const found = signedIn.get(viewer);
    if (found === undefined) throw new Error(`There is no viewer "${viewer}".`);
    return found;
  };
  return {
    url,
    headersOf: (viewer) => find(viewer).headers,
    personOf: (viewer) => find(viewer).person,
    user,
    close: async () => {
      await desk.drain();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await desk.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function openServer(
  { venueUrl, ...config }: Pick<ServerConfig, 'dataDir' | 'budget'> & { readonly venueUrl: string },
  ports: Partial<ServerPorts>,
): Promise<DeskServer> {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('The sandbox has no profile.');
  return createDeskServer(
    {
      profile: { ...profile, baseUrl: venueUrl },
      credential: CREDENTIAL,
      ...config,
      databaseUrl: null,
      venueId: 'an exchange',
      access: { mode: 'users', sessionHours: 168, idleHours: 12, metricsToken: null },
    },
    { ...createRealPorts('error'), ...ports },
  );
}

async function signIn(
  { url, user }: Pick<ViewedDesk, 'url' | 'user'>,
  name: string,
  { roles, codes, by }: Granted,
): Promise<SignedIn> {
  const person = createHttpPerson(url);
  if (by === 'nothing') return { person, headers: {} };
  const options = by === 'token' ? ['--role', 'operations', '--all-orders'] : toOptions(roles, codes);
  await mustSucceed(person, 'acceptInvitation', {
    invitation: invitationIn(await user('add', name, ...options)),
    password: PASSWORD,
  });
  if (by === 'session')
    return {
      person,
      headers: { cookie: [...person.cookies()].map(([cookie, value]) => `${cookie}=${value}`).join('; ') },
    };
  const scope = { all: codes === 'all', accounts: [], firms: [], connections: [], ...(codes !== 'all' && codes) };
  const token = await mustSucceed(person, 'createToken', {
    name: 'Report',
    roles,
    scope,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return { person, headers: { authorization: `Bearer ${String(token['token'])}` } };
}

async function mustSucceed(
  person: HttpPerson,
  ...action: Parameters<HttpPerson['act']>
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await person.act(...action);
  if (status !== 200) throw new Error(`${action[0]}: ${JSON.stringify(body)}`);
  return body;
}

function toOptions(roles: readonly Role[], codes: Granted['codes']): readonly string[] {
  const pairs = (option: string, values: readonly string[] = []): readonly string[] =>
    values.flatMap((value) => [option, value]);
  const scope =
    codes === 'all'
      ? ['--all-orders']
      : [
          ...pairs('--account', codes.accounts),
          ...pairs('--firm', codes.firms),
          ...pairs('--connection', codes.connections),
        ];
  return [...pairs('--role', roles), ...scope];
}

/** Grants roles and orders to a viewer with a sign-in session, as most have. */
export function granted(roles: readonly Role[], codes: Granted['codes']): Granted {
  return { roles, codes, by: 'session' };
}
