import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeskAudit } from '#contract/desk/access.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { openProvidedRoom, type ProvidedRoom } from '#testing/oidc/provided-room.ts';
import { startScriptedProvider, type ScriptedProvider } from '#testing/oidc/scripted-provider.ts';
import { openAccessRegistry } from '../accounts/access-registry.ts';
import { checkAudit } from '../audit-commands.ts';

const INTERVAL_MS = 60_000;
const TRADERS = ['traders'];

let provider: ScriptedProvider;
let clock: FakeClock;

beforeAll(async () => {
  provider = await startScriptedProvider();
});

beforeEach(() => {
  provider.script = { refreshToken: 'the first' };
  provider.isDown = false;
  // The real time, because the provider's tokens are checked against the machine's clock.
  clock = createFakeClock(Date.now());
});

afterAll(() => provider.close());

type Counts = ReturnType<ProvidedRoom['oidc']['refreshes']>;

/** Advances the clock to the next refresh and waits for its result. */
async function refreshTo({ oidc }: ProvidedRoom, expected: Partial<Counts>, milliseconds = INTERVAL_MS): Promise<void> {
  await clock.advance(milliseconds);
  await expect.poll(oidc.refreshes).toMatchObject(expected);
}

/** Returns the person's entries in the audit log, newest first. */
async function details({ room }: ProvidedRoom): Promise<readonly string[]> {
  expect((await checkAudit(room.commands.audit)).problem).toBeNull();
  return (JSON.parse(await room.responders.audit([['who', 'ann']])) as DeskAudit).entries.map(({ detail }) => detail);
}

it('a start says in the log that the provider is away, before anyone has tried to sign in', async () => {
  provider.isDown = true;
  const logged: string[] = [];
  await openProvidedRoom({
    provider,
    store: await openTestStore(),
    clock,
    log: (level, event) => void logged.push(`${level} ${event}`),
  });
  await expect.poll(() => logged).toEqual(['warn provider not reached']);
});

describe('during a session', () => {
  it('roles follow the groups at the provider: whoever has less stops seeing it at once, whoever has more sees it', async () => {
    const provided = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookie = await provided.signIn();
    const before = await provided.viewerOf(cookie);
    await refreshTo(provided, { confirmed: 1 });
    expect(provider.received().get('refresh_token')).toBe('the first');
    expect(before.ended.aborted).toBe(false);
    provider.script = { claims: { groups: ['desk'] }, refreshToken: 'the second' };
    await refreshTo(provided, { changed: 1 });
    expect(before.ended.aborted).toBe(true);
    const more = await provided.viewerOf(cookie);
    expect([more.roles.has('admin'), more.scope]).toEqual([true, 'all']);
    provider.script = { claims: { groups: TRADERS } };
    await refreshTo(provided, { changed: 2 });
    expect(provider.received().get('refresh_token')).toBe('the second');
    expect(more.ended.aborted).toBe(true);
    expect((await provided.viewerOf(cookie)).roles.has('admin')).toBe(false);
    expect(await details(provided)).toEqual([
      'The provider changed their roles to orders, or their accounts or name.',
      'The provider changed their roles to operations, admin, or their accounts or name.',
      expect.stringContaining('Signed in at '),
    ]);
  });

  it('groups are read from the user info where the provider lists them only there', async () => {
    provider.script = { claims: { groups: undefined }, userInfo: { groups: TRADERS }, refreshToken: 'the first' };
    const provided = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookie = await provided.signIn();
    provider.script = { isWithoutIdToken: true, userInfo: { groups: ['desk'] } };
    await refreshTo(provided, { changed: 1 });
    expect((await provided.viewerOf(cookie)).roles.has('operations')).toBe(true);
  });

  it.each([
    ['the provider no longer allows it', { status: 400 }, 'The provider no longer allows it.'],
    [
      'no group has a role any more',
      { claims: { groups: ['guests'] } },
      'None of the groups of the person has a role any more.',
    ],
    ['the provider names another person', { claims: { sub: 'eve' } }, 'The provider named another person.'],
  ] as const)('it ends if %s', async (_, script, detail) => {
    const provided = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookie = await provided.signIn();
    const viewer = await provided.viewerOf(cookie);
    provider.script = script;
    await refreshTo(provided, { ended: 1 });
    expect([viewer.ended.aborted, (await provided.viewerOf(cookie)).id]).toEqual([true, '']);
    expect((await details(provided))[0]).toBe(detail);
  });

  it('it continues while the provider is away, which is then requested once for all, and ends after four intervals', async () => {
    const provided = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookies = [await provided.signIn(), await provided.signIn(), await provided.signIn()];
    provider.script = { status: 503, error: 'temporarily_unavailable' };
    const requests = provider.tokenRequests();
    await refreshTo(provided, { failed: 3 });
    expect(provider.tokenRequests()).toBe(requests + 1);
    expect((await provided.viewerOf(cookies[0] ?? '')).id).toBe('ann');
    provider.script = {};
    await refreshTo(provided, { confirmed: 3 }, INTERVAL_MS / 2);
    provider.script = { status: 503, error: 'temporarily_unavailable' };
    for (let turn = 1; turn < 8; turn += 1)
      await refreshTo(provided, { failed: Math.max(1, turn) * 3 }, INTERVAL_MS / 2);
    expect((await provided.viewerOf(cookies[0] ?? '')).id).toBe('ann');
    await refreshTo(provided, { ended: 3 }, INTERVAL_MS / 2);
    expect((await provided.viewerOf(cookies[0] ?? '')).id).toBe('');
    expect((await details(provided))[0]).toBe('The provider has not confirmed it for too long.');
  });

  it('a response that cannot be trusted changes nothing, and is tried again later', async () => {
    const provided = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookie = await provided.signIn();
    provider.script = { claims: { groups: ['desk'] }, isForged: true };
    await refreshTo(provided, { failed: 1 });
    expect((await provided.viewerOf(cookie)).roles.has('admin')).toBe(false);
    provider.script = { claims: { groups: ['desk'] } };
    await refreshTo(provided, { failed: 1, changed: 1 }, INTERVAL_MS / 2);
  });

  it.each([
    ['without a refresh token', {}, 60],
    ['where it is turned off', { refreshToken: 'the first' }, 0],
  ])('what was granted stays %s', async (_, script, refreshSeconds) => {
    const store = await openTestStore();
    const provided = await openProvidedRoom({ provider, store, clock, refreshSeconds });
    provider.script = script;
    const cookie = await provided.signIn();
    const requests = provider.tokenRequests();
    await clock.advance(10 * INTERVAL_MS);
    expect([provider.tokenRequests(), (await provided.viewerOf(cookie)).id]).toEqual([requests, 'ann']);
    expect(JSON.stringify(await store.query('SELECT body FROM access_session'))).toContain('\\"refreshToken\\":null');
  });
});

describe('a refresh token', () => {
  it('is stored sealed, and is of use after a restart, but not with the key of another folder', async () => {
    const store = await openTestStore();
    const before = await openProvidedRoom({ provider, store, clock });
    const cookie = await before.signIn();
    const [[body] = []] = await store.query('SELECT body FROM access_session');
    expect(body).toMatch(/"refreshToken":"[\w-]{40,}"/);
    expect(body).not.toContain('the first');
    expect(body).toMatch(/"idToken":"[\w-]{40,}"/);
    await before.room.close();
    const elsewhere = await openProvidedRoom({ provider, store, clock, key: 'another' });
    await refreshTo(elsewhere, { failed: 1 });
    expect((await elsewhere.viewerOf(cookie)).id).toBe('ann');
    await elsewhere.room.close();
    const after = await openProvidedRoom({ provider, store, clock });
    await refreshTo(after, { confirmed: 1 }, INTERVAL_MS / 2);
    expect(provider.received().get('refresh_token')).toBe('the first');
    expect((await after.viewerOf(cookie)).id).toBe('ann');
    expect(JSON.stringify(await store.query('SELECT body FROM access_session'))).toContain('idToken');
  });

  it('is used by one of several desks on a store, which the others learn from', async () => {
    const store = { ...(await openTestStore()), isShared: true };
    const other = await openProvidedRoom({ provider, store, clock, holdsLease: () => false });
    const holder = await openProvidedRoom({ provider, store, clock });
    const cookie = await holder.signIn();
    await clock.advance(1_000);
    await expect.poll(async () => (await other.viewerOf(cookie)).id).toBe('ann');
    const seeing = await other.viewerOf(cookie);
    const requests = provider.tokenRequests();
    provider.script = { claims: { groups: ['desk'] } };
    await refreshTo(holder, { changed: 1 });
    expect([provider.tokenRequests(), other.oidc.refreshes().changed]).toEqual([requests + 1, 0]);
    await clock.advance(1_000);
    await expect.poll(() => seeing.ended.aborted).toBe(true);
    expect((await other.viewerOf(cookie)).roles.has('admin')).toBe(true);
  });

  it('is not replaced by the one before when the use of its session is noted at the same time', async () => {
    const book = await openAccessRegistry(await openTestStore());
    const session = {
      id: '1',
      hash: '',
      person: 'ann',
      name: 'Ann',
      granted: null,
      way: 'oidc',
      createdAt: 0,
      lastUsedAt: 0,
      endsAt: 1,
      address: '',
      browser: '',
    } as const;
    const withToken = (refreshToken: string) => ({ ...session, provider: { sid: null, refreshToken, confirmedAt: 0 } });
    await book.change(() => [{ put: { sessions: [withToken('old')] } }, undefined]);
    await Promise.all([
      book.change(() => [{ put: { sessions: [withToken('new')] } }, undefined]),
      book.note('sessions', '1', 7),
    ]);
    expect(book.state().sessions.get('1')).toEqual({ ...withToken('new'), lastUsedAt: 7 });
    await book.note('sessions', 'of nobody', 7);
    expect(book.state().sessions.size).toBe(1);
  });
});
