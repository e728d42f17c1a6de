import { expect, type Page } from '@playwright/test';
import type { DeskPeople } from '#contract/desk/access.ts';
import { createHttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { startPeopleDesk } from '#testing/access/people-desk.ts';
import { test as watched } from './watched-page.ts';

export const ADMIN = 'ada';

interface GivenPerson {
  readonly name: string;
  readonly roles: readonly string[];
  readonly accounts?: readonly string[];
  readonly firms?: readonly string[];
}

interface People {
  readonly address: string;
  /** Adds a person who can sign in with the password of the tests. */
  readonly add: (person: GivenPerson) => Promise<void>;
  /** Adds a person who cannot sign in yet; returns the path of their invitation. */
  readonly invite: (person: GivenPerson) => Promise<string>;
  readonly endSessions: (name: string) => Promise<void>;
  readonly change: (person: GivenPerson) => Promise<void>;
}

/** Each worker has a server that people sign in to. Tests add their own people. */
export const test = watched.extend<object, { readonly people: People }>({
  people: [
    async ({}, use) => {
      const started = await startPeopleDesk({}, ['--history-days', '40', '--orders', '200', '--working', '50']);
      const invitation = await started.add(ADMIN, '--role', 'admin', '--role', 'operations', '--all-orders');
      // Passkeys need a host name.
      await use(await openDesk(started.desk.address.replace('127.0.0.1', 'localhost'), invitation));
      await started.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ people }, use) => {
    await use(people.address);
  },
  provoked: /status of 40[13]/,
});

async function openDesk(address: string, invitation: string): Promise<People> {
  const admin = createHttpPerson(address);
  const act = async (...given: Parameters<typeof admin.act>): ReturnType<typeof admin.act> => {
    const answer = await admin.act(...given);
    if (answer.status !== 200) throw new Error(`${given[0]}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  await act('acceptInvitation', { invitation, password: PASSWORD });
  const put = async ({ name, roles, accounts = [], firms = [] }: GivenPerson, id = ''): Promise<void> => {
    await act('putPerson', {
      id,
      name,
      roles,
      scope: { all: accounts.length + firms.length === 0, accounts, firms, connections: [] },
      disabled: false,
    });
  };
  const idOf = async (name: string): Promise<string> => {
    const { people } = (await admin.get('/api/desk/people')).body as unknown as DeskPeople;
    return people.find((person) => person.name === name)?.id ?? '';
  };
  // The server has one person from the start, for when there are no others.
  await act('deletePerson', null, { id: await idOf('admin') });
  const invite = async (person: GivenPerson): Promise<string> => {
    await put(person);
    const { body } = await act('invitePerson', null, { id: await idOf(person.name) });
    return String(body['path']);
  };
  return {
    address,
    invite,
    add: async (person) => {
      const secret = (await invite(person)).split('#')[1] ?? '';
      const { status } = await createHttpPerson(address).act('acceptInvitation', {
        invitation: secret,
        password: PASSWORD,
      });
      expect(status).toBe(200);
    },
    endSessions: async (name) => {
      await act('endSessionsOf', null, { id: await idOf(name) });
    },
    change: async (person) => put(person, await idOf(person.name)),
  };
}

/** Signs in by keyboard alone: Tab leads from the name to the password. */
export async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const field = page.getByLabel('Name');
  if ((await field.inputValue()) !== name) await field.fill(name);
  await field.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}
