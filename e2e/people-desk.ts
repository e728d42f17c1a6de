import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS, FORGERY_HEADER, type DeskMe, type DeskPeople } from '#contract/desk-access.ts';
import { ACTION_HEADER } from '#contract/desk-actions.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';
import { CREDENTIAL, startVenue } from '#testing/conformance/run-conformance.ts';
import { startGateway } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

export const PASSWORD = 'violet harbour anvil seven';
export const ADMIN = 'ada';

interface GivenPerson {
  readonly name: string;
  readonly roles: readonly string[];
  readonly accounts?: readonly string[];
  readonly firms?: readonly string[];
}

export interface PeopleDesk {
  readonly address: string;
  /** Adds somebody who can sign in with the password of the tests. */
  readonly add: (person: GivenPerson) => Promise<void>;
  /** Adds somebody who cannot sign in yet; returns the path of their invitation. */
  readonly invite: (person: GivenPerson) => Promise<string>;
  readonly endSessions: (name: string) => Promise<void>;
  readonly change: (person: GivenPerson) => Promise<void>;
}

/** Each worker has a desk that people sign in to. Tests add people of their own. */
export const test = watched.extend<object, { readonly people: PeopleDesk }>({
  people: [
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-people-'));
      const venue = await startVenue(['--history-days', '40', '--orders', '200', '--working', '50']);
      const settings = { DESK_ACCESS: 'users', DESK_DATA_DIR: dataDir };
      const invitation = await addFirst({ ...settings, DESK_VENUE_URL: venue.address, DESK_CONNECTION_ID: CREDENTIAL.connectionId, DESK_AUTH_TOKEN: CREDENTIAL.token });
      const gateway = await startGateway(venue.address, dataDir, settings);
      // Passkeys need a host name.
      const address = gateway.address.replace('127.0.0.1', 'localhost');
      await use(await openDesk(address, invitation));
      await gateway.stop();
      await venue.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ people }, use) => {
    await use(people.address);
  },
  provoked: /status of 40[13]/,
});

async function addFirst(settings: Readonly<Record<string, string>>): Promise<string> {
  const root = join(import.meta.dirname, '..');
  const { stdout } = await promisify(execFile)(process.execPath, ['src/gateway/user.ts', 'add', ADMIN, '--role', 'admin', '--role', 'operations', '--all-orders'], { cwd: root, env: { ...process.env, ...clearedSettings(), ...settings } });
  return toSecret(stdout);
}

/** The secret of a link is in its fragment. */
function toSecret(text: string): string {
  return /#(\S+)/.exec(text)?.[1] ?? '';
}

type ActionName = keyof typeof ACCESS_ACTIONS;

interface Sent {
  readonly query?: string;
  readonly body?: object;
}

/** Sends actions as a page of this desk does, with the cookie of whoever has signed in. */
function createSender(address: string) {
  let cookie = '';
  const read = async (path: string): Promise<unknown> => (await fetch(new URL(path, address), { headers: { cookie } })).json();
  const send = async (name: ActionName, { query = '', body }: Sent): Promise<unknown> => {
    const me = (await read(ACCESS_ENDPOINTS.me.path)) as DeskMe;
    const { method, path } = ACCESS_ACTIONS[name];
    const headers = { cookie, origin: new URL(address).origin, 'content-type': 'application/json', [ACTION_HEADER]: name, [FORGERY_HEADER]: me.forgery_token ?? '' };
    const response = await fetch(new URL(path + query, address), { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
    cookie = [cookie, ...response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')].filter((each) => each !== '').join('; ');
    return response.json();
  };
  return { read, send };
}

async function openDesk(address: string, invitation: string): Promise<PeopleDesk> {
  const { read, send } = createSender(address);
  await send('acceptInvitation', { body: { invitation, password: PASSWORD } });
  const put = async ({ name, roles, accounts = [], firms = [] }: GivenPerson, id = ''): Promise<void> => {
    await send('putPerson', { body: { id, name, roles, scope: { all: accounts.length + firms.length === 0, accounts, firms, connections: [] }, disabled: false } });
  };
  const idOf = async (name: string): Promise<string> => {
    const { people } = (await read(ACCESS_ENDPOINTS.people.path)) as DeskPeople;
    return people.find((person) => person.name === name)?.id ?? '';
  };
  const invite = async (person: GivenPerson): Promise<string> => {
    await put(person);
    const { path } = (await send('invitePerson', { query: `?id=${await idOf(person.name)}` })) as { readonly path: string };
    return path;
  };
  return {
    address,
    invite,
    add: async (person) => {
      const secret = toSecret(await invite(person));
      await createSender(address).send('acceptInvitation', { body: { invitation: secret, password: PASSWORD } });
    },
    endSessions: async (name) => {
      await send('endSessionsOf', { query: `?id=${await idOf(name)}` });
    },
    change: async (person) => put(person, await idOf(person.name)),
  };
}

/** By keyboard alone: the name has the focus. */
export async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const field = page.getByLabel('Name');
  if ((await field.inputValue()) !== name) await field.fill(name);
  await field.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}
