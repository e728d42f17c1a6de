import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_ACTIONS } from '#contract/desk/access.ts';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { createHttpPerson, type HttpPerson } from '#testing/access/http-person.ts';
import { createSoftwarePasskey } from '#testing/access/software-passkey.ts';
import { granted, openViewedDesk, type ViewedDesk } from '#testing/access/viewed-desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import type { StartedProcess } from '#testing/start-process.ts';

/** More attempts than a server would keep if it kept any, from two networks because the rate of each is limited. */
const NETWORKS = ['127.0.0.9', '127.0.0.10'];
const MANY = 600;
const AT_ONCE = 20;
const FIVE_MINUTES = 5 * 60_000;

let venue: StartedProcess;
let desk: ViewedDesk;
let address: string;
let ahead = 0;

beforeAll(async () => {
  venue = await startVenue(['--live', 'off', '--orders', '50', '--working', '5']);
  desk = await openViewedDesk(
    venue.address,
    { ada: granted(['markets'], {}), ben: granted(['markets'], {}) },
    { now: () => Date.now() + ahead },
  );
  // Passkeys need a host name.
  address = desk.url.replace('127.0.0.1', 'localhost');
}, 60_000);

afterAll(async () => {
  await desk.close();
  await venue.stop();
});

function signedIn(viewer: string): HttpPerson {
  const person = createHttpPerson(address);
  person.copy(desk.personOf(viewer));
  return person;
}

async function withPasskey(viewer: string) {
  const person = signedIn(viewer);
  const passkey = createSoftwarePasskey(address);
  expect(await passkey.add(person, 'laptop')).toMatchObject({ status: 200 });
  return { person, passkey };
}

const NOT_BEGUN = { status: 403, body: { detail: 'This attempt has expired or was already completed. Try again.' } };

describe('a sign-in with a passkey that was begun', () => {
  it('is finished however many others a stranger begins, as is one that adds a passkey', async () => {
    const { person, passkey } = await withPasskey('ada');
    const browser = createHttpPerson(address);
    const begun = (await browser.act('beginPasskeySignIn')).body;
    const second = createSoftwarePasskey(address);
    const adding = second.add(
      {
        ...person,
        act: async (name, ...rest) => {
          if (name === 'addPasskey') await beginMany();
          return person.act(name, ...rest);
        },
      },
      'phone',
    );
    expect(await adding).toMatchObject({ status: 200 });
    expect(await browser.act('signInWithPasskey', passkey.respond(begun))).toMatchObject({ status: 200 });
    expect((await browser.me()).me).toMatchObject({ name: 'ada', way: 'passkey' });
  });

  it('is finished in each of several tabs, and leaves no cookie behind', async () => {
    const { passkey } = await withPasskey('ada');
    const browser = createHttpPerson(address);
    const tabs = [(await browser.act('beginPasskeySignIn')).body, (await browser.act('beginPasskeySignIn')).body];
    for (const begun of tabs)
      expect(await browser.act('signInWithPasskey', passkey.respond(begun))).toMatchObject({ status: 200 });
    expect([...browser.cookies().keys()].toSorted()).toEqual(['__Host-perpdesk', '__Host-perpdesk-device']);
  });

  it('is finished once, within five minutes, in the browser in which it was begun, and for nothing else', async () => {
    const { person, passkey } = await withPasskey('ada');
    const browser = createHttpPerson(address);
    const begin = async () => (await browser.act('beginPasskeySignIn')).body;
    const first = await begin();
    const thief = createHttpPerson(address);
    thief.copy(browser);
    const replay = passkey.respond(first);
    expect(await browser.act('signInWithPasskey', replay)).toMatchObject({ status: 200 });
    expect(await thief.act('signInWithPasskey', replay)).toMatchObject(NOT_BEGUN);
    expect(await createHttpPerson(address).act('signInWithPasskey', passkey.respond(await begin()))).toMatchObject(
      NOT_BEGUN,
    );
    // One attempt has another purpose, and another was begun by another person.
    expect(
      await person.act('addPasskey', {
        ...passkey.respond((await person.act('beginPasskeySignIn')).body),
        name: 'again',
      }),
    ).toMatchObject(NOT_BEGUN);
    const ben = signedIn('ben');
    const ofBen = await ben.act('beginPasskey');
    ben.copy(person);
    expect(await ben.act('addPasskey', { ...passkey.respond(ofBen.body), name: 'again' })).toMatchObject(NOT_BEGUN);
    const late = await begin();
    ahead += FIVE_MINUTES;
    expect(await browser.act('signInWithPasskey', passkey.respond(late))).toMatchObject(NOT_BEGUN);
  });

  it('takes no more room in a browser however often it is begun', async () => {
    const browser = createHttpPerson(address);
    for (let times = 0; times < 60; times += 1) await browser.act('beginPasskeySignIn');
    const { passkey } = await withPasskey('ada');
    expect([...browser.cookies()].join('').length).toBeLessThan(8_192);
    expect(
      await browser.act('signInWithPasskey', passkey.respond((await browser.act('beginPasskeySignIn')).body)),
    ).toMatchObject({ status: 200 });
  });
});

async function beginMany(): Promise<void> {
  const { path, method } = ACCESS_ACTIONS.beginPasskeySignIn;
  const { host, origin } = new URL(address);
  for (const localAddress of NETWORKS) {
    const stranger = new Agent({ localAddress });
    const begin = async (): Promise<number> => {
      const { statusCode, body } = await request(`${desk.url.replace(/\/$/, '')}${path}`, {
        method,
        dispatcher: stranger,
        headers: { host, origin, [ACTION_HEADER]: 'beginPasskeySignIn' },
      });
      await body.dump();
      return statusCode;
    };
    for (let begun = 0; begun < MANY; begun += AT_ONCE)
      expect(new Set(await Promise.all(Array.from({ length: AT_ONCE }, begin)))).toEqual(new Set([200]));
    await stranger.close();
  }
}

describe('failed passkeys and invitations', () => {
  const FIFTY = 50;

  it('lock nobody else in the network out: neither a passkey, nor an invitation', async () => {
    const { passkey } = await withPasskey('ada');
    const stranger = createHttpPerson(address);
    for (let failed = 0; failed <= FIFTY; failed += 1) {
      await stranger.act('signInWithPasskey', { id: 'none', name: '', response: '{"id":"none"}' });
      expect(
        await stranger.act('acceptInvitation', { invitation: 'none', password: 'marble otter seventeen lantern' }),
      ).toMatchObject({ status: 403 });
    }
    expect(await passkey.signIn(createHttpPerson(address))).toMatchObject({ status: 200 });
    const invitation = /\/invitation#(\S+)/.exec(await desk.user('add', 'Hal', '--role', 'markets'))?.[1] ?? '';
    expect(
      await createHttpPerson(address).act('acceptInvitation', {
        invitation,
        password: 'marble otter seventeen lantern',
      }),
    ).toMatchObject({ status: 200 });
  });

  it('of one passkey slow down its copy elsewhere, but not in a browser in which its person has signed in before', async () => {
    const { person, passkey } = await withPasskey('ada');
    const forge = async (browser: HttpPerson) => {
      const { response, ...given } = passkey.respond((await browser.act('beginPasskeySignIn')).body);
      return browser.act('signInWithPasskey', {
        ...given,
        response: response.replace(/"signature":"[^"]*"/, '"signature":"MEUCIQ"'),
      });
    };
    const thief = createHttpPerson(address);
    const statuses: number[] = [];
    for (let times = 0; times < 6; times += 1) statuses.push((await forge(thief)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await passkey.signIn(createHttpPerson(address))).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('use a browser in which you have signed in before') as string },
    });
    expect(await passkey.signIn(person)).toMatchObject({ status: 200 });
  });
});
