import { AUDIT_DEFAULTS } from '#server/core/audit-settings.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ALONE } from '#server/people/audit/starts.ts';
import { CATCH_UP_MS } from '#server/people/accounts/access-registry.ts';
import { openAccessRoom, type AccessRoom } from '#server/people/open-access-room.ts';
import type { OidcRoom } from '#server/people/open-provider.ts';
import type { Log } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { type FakeClock, waitWith } from '../fake-clock.ts';
import { newFolder } from '../proxy/open-provided-desk.ts';
import { CLIENT_ID, type ScriptedProvider } from './scripted-provider.ts';

interface RoomOptions {
  readonly provider: ScriptedProvider;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly refreshSeconds?: number;
  readonly key?: string;
  readonly holdsLease?: () => boolean;
  readonly log?: Log;
}

/** The server module of people when a provider names them, without the rest of the server. */
export interface ProvidedRoom {
  readonly room: AccessRoom;
  readonly oidc: OidcRoom;
  /** Signs a person in and returns the cookie. */
  readonly signIn: () => Promise<string>;
  /** Returns the viewer of a request that is sent with the cookie now. */
  readonly viewerOf: (cookie: string) => Promise<Viewer>;
}

export async function openProvidedRoom({
  provider,
  store,
  clock,
  refreshSeconds = 60,
  key = 'key',
  holdsLease = () => true,
  log = () => undefined,
}: RoomOptions): Promise<ProvidedRoom> {
  const source = {
    kind: 'oidc',
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: null,
    scope: 'openid',
    groupsClaim: 'groups',
    refreshSeconds,
  } as const;
  const atHome = { originOf: () => 'http://localhost', homeOf: () => 'http://localhost', addressOf: () => '192.0.2.1' };
  const room = await openAccessRoom(
    {
      mode: 'oidc',
      sessionHours: 24,
      idleHours: 24,
      key,
      provider: { groupsFile: join(newFolder(), 'groups.json'), source },
      ...atHome,
      given: {},
      auditing: AUDIT_DEFAULTS,
    },
    { store, now: clock.now, elapsed: clock.elapsed, schedule: clock.schedule, log, holdsLease, ...ALONE },
  );
  onTestFinished(room.close);
  room.start('1.0.0');
  const { oidc } = room;
  if (oidc === null) throw new Error('The room has a provider.');
  const viewerOf = async (cookie: string): Promise<Viewer> => {
    // A browser that is not signed in here may be at another desk.
    const found = await waitWith(clock, CATCH_UP_MS, room.identify(requestWith(cookie)));
    if ('type' in found) throw new Error(found.detail);
    return found;
  };
  return {
    room,
    oidc,
    viewerOf,
    signIn: async () => {
      const nobody = await viewerOf('');
      const begun = await oidc.begin({ request: requestWith(''), response: NO_RESPONSE, viewer: nobody }, '');
      const { searchParams } = new URL(begun.location);
      provider.nonceOf(searchParams.get('nonce') ?? '');
      const query = new URLSearchParams({ code: 'abc', state: searchParams.get('state') ?? '', iss: provider.issuer });
      const { cookies } = await oidc.finish(
        { request: requestWith(begun.cookies[0] ?? ''), response: NO_RESPONSE, viewer: nobody },
        query.toString(),
      );
      const cookie = cookies.find((one) => one.startsWith('__Host-perpdesk=')) ?? '';
      expect(cookie).not.toBe('');
      return cookie;
    },
  };
}

const NO_RESPONSE = {} as ServerResponse;

function requestWith(cookie: string): IncomingMessage {
  return { method: 'GET', headers: { cookie: cookie.split(';', 1)[0] ?? '' } } as unknown as IncomingMessage;
}
