import { expect, test, type Page } from '@playwright/test';
import { ACCESS_ACTIONS, FORGERY_HEADER, type DeskMe } from '#contract/desk/access.ts';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { PASSWORD } from '#testing/access/http-person.ts';
import { startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';

/** Tests how browsers treat the cookies and passkeys of Perpdesk, below its screens. */

let room: PeopleDesk;

test.beforeAll(async () => {
  room = await startPeopleDesk();
});

test.afterAll(async () => {
  await room.stop();
});

const toLocalhost = (address: string): string => address.replace('127.0.0.1', 'localhost');

/**
 * Opens a path without the app, whose sign-in screen would sign in by itself with the passkey that a test has just
 * added.
 */
const openWithoutApp = (page: Page) => page.goto(`${toLocalhost(room.desk.address)}healthz`);

type ActionName = keyof typeof ACCESS_ACTIONS;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

async function me(page: Page): Promise<DeskMe> {
  return page.evaluate(async () => (await (await fetch('/api/desk/me')).json()) as DeskMe);
}

/** Sends a request as a page of Perpdesk does. */
async function act(page: Page, name: ActionName, body: object | null): Promise<Answer> {
  const { forgery_token: token } = await me(page);
  const { path, method } = ACCESS_ACTIONS[name];
  const headers = {
    [ACTION_HEADER]: name,
    ...(token !== null && { [FORGERY_HEADER]: token }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  return page.evaluate(
    async (sent) => {
      const response = await fetch(sent.path, { method: sent.method, headers: sent.headers, body: sent.body });
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> };
    },
    { path, method, headers, body: body === null ? null : JSON.stringify(body) },
  );
}

async function createPasskey(page: Page, options: string): Promise<string> {
  return page.evaluate(async (text) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      JSON.parse(text) as PublicKeyCredentialCreationOptionsJSON,
    );
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return JSON.stringify(credential.toJSON());
  }, options);
}

async function usePasskey(page: Page, options: string): Promise<string> {
  return page.evaluate(async (text) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      JSON.parse(text) as PublicKeyCredentialRequestOptionsJSON,
    );
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return JSON.stringify(credential.toJSON());
  }, options);
}

async function acceptInvitation(page: Page, name: string): Promise<void> {
  const invitation = await room.add(name, '--role', 'markets');
  expect(await act(page, 'acceptInvitation', { invitation, password: PASSWORD })).toMatchObject({ status: 200 });
}

async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

test('a browser keeps the cookie of a session, which no script can read, by both names of this machine', async ({
  page,
}) => {
  for (const address of [room.desk.address, toLocalhost(room.desk.address)]) {
    await page.goto(`${address}healthz`);
    await page.goto(address);
    await acceptInvitation(page, `Ada at ${new URL(address).hostname}`);
    expect((await me(page)).me?.name).toBe(`Ada at ${new URL(address).hostname}`);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    // The sign-in screen has begun an attempt with a passkey as well.
    const cookies = (await page.context().cookies(address)).filter(
      ({ name }) => !name.startsWith('__Host-perpdesk-begun-'),
    );
    expect(cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite }))).toEqual(
      ['__Host-perpdesk', '__Host-perpdesk-device'].map((name) => ({
        name,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      })),
    );
  }
});

test('somebody adds a passkey, and signs in with it, without a name', async ({ page }) => {
  await openWithoutApp(page);
  await addAuthenticator(page);
  await acceptInvitation(page, 'Gil');
  const begun = await act(page, 'beginPasskey', null);
  const response = await createPasskey(page, begun.body['options'] ?? '');
  expect(await act(page, 'addPasskey', { id: begun.body['id'], name: 'This laptop', response })).toMatchObject({
    status: 200,
  });
  expect(await act(page, 'addPasskey', { id: begun.body['id'], name: 'Again', response })).toMatchObject({
    status: 403,
  });
  expect(await act(page, 'signOut', null)).toMatchObject({ status: 200 });
  expect((await me(page)).me).toBeNull();

  const signingIn = await act(page, 'beginPasskeySignIn', null);
  const used = {
    id: signingIn.body['id'],
    name: '',
    response: await usePasskey(page, signingIn.body['options'] ?? ''),
  };
  expect(await act(page, 'signInWithPasskey', used)).toMatchObject({ status: 200 });
  const signedIn = await me(page);
  expect(signedIn.me).toMatchObject({ name: 'Gil', way: 'passkey', passkeys: [{ name: 'This laptop' }] });
  expect(signedIn.me?.passkeys[0]?.last_used_at).not.toBeNull();
  // A response is valid once, and only for its own attempt.
  expect(await act(page, 'signInWithPasskey', used)).toMatchObject({ status: 403 });
  const another = await act(page, 'beginPasskeySignIn', null);
  expect(await act(page, 'signInWithPasskey', { ...used, id: another.body['id'] })).toMatchObject({ status: 401 });
});

test('a passkey whose owner was not verified is not accepted', async ({ page }) => {
  await openWithoutApp(page);
  const authenticator = await addAuthenticator(page);
  await acceptInvitation(page, 'Hal');
  const begun = await act(page, 'beginPasskey', null);
  await act(page, 'addPasskey', {
    id: begun.body['id'],
    name: 'Key',
    response: await createPasskey(page, begun.body['options'] ?? ''),
  });
  await act(page, 'signOut', null);
  await authenticator.setVerified(false);
  const signingIn = await act(page, 'beginPasskeySignIn', null);
  const discouraged = JSON.stringify({
    ...(JSON.parse(signingIn.body['options'] ?? '') as object),
    userVerification: 'discouraged',
  });
  const response = await usePasskey(page, discouraged);
  expect(await act(page, 'signInWithPasskey', { id: signingIn.body['id'], name: '', response })).toMatchObject({
    status: 401,
  });
  expect((await me(page)).me).toBeNull();
});
