import type { AccessMode } from '#contract/desk/roles.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { type Administrator, createAdministrator, mustNotBeToken } from './accounts/administrator.ts';
import {
  createPeople,
  describePerson,
  describeRevoked,
  type GivenPerson,
  INVITED_FOR_MS,
  type People,
  type Revoked,
} from './accounts/people.ts';
import { describeEnded } from './accounts/end-access.ts';
import { type AuditLog, createAuditLog } from './audit/audit-log.ts';
import { createAnnouncedEvents } from './audit/announced-events.ts';
import { openAuditLines } from './audit/audit-lines.ts';
import { type AuditKind, type AuditStore, createAuditStore } from './audit/audit-store.ts';
import type { Keep } from './accounts/records.ts';
import type { AddressOf, Input, OriginOf, Requesting } from './accounts/requesting.ts';
import { createSignIn, mustBeRecent, type SignInDeps } from './accounts/sign-in.ts';
import type { AuditSettings } from '#server/core/audit-settings.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import type { Store } from '#server/store/store.ts';
import { type Identify, LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import { createCatchUp, createSweeper, openAccessRegistry } from './accounts/access-registry.ts';
import { endRestoredAccess } from './after-restore.ts';
import type { AuditSource } from './audit-commands.ts';
import { type Caller, createUserCommands, type RunUserCommand } from './user-commands.ts';
import { type AmongDesks, createRuns, type GivenSettings, recordChangedSettings } from './audit/starts.ts';
import { createAccessResponders } from './accounts/describe-access.ts';
import { NO_ACCOUNTS } from './accounts/entitlement.ts';
import { createIdentify, createViewers } from './accounts/viewers.ts';
import { createKnownDevices, createLockOut, WINDOW_MS } from './accounts/lock-out.ts';
import { createSharedFailures, type SharedFailures } from './accounts/shared-failures.ts';
import { createObserver, type Observer, withRejections } from './accounts/recorded-requests.ts';
import type { OidcRoom } from './open-provider.ts';
import { createOwnActions } from './accounts/own-actions.ts';
import { createAttempts } from './accounts/attempts.ts';
import { type Begun, createOwnPasskeyActions, createPasskeyActions } from './accounts/passkeys.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createProvidedPeople } from './accounts/provided-people.ts';
import { createSignInSessions, type SignInSessions } from './accounts/sessions.ts';
import { createPasswordActions } from './accounts/choose-password.ts';

interface PeopleDeps extends Pick<SignInDeps, 'book' | 'viewers' | 'addressOf' | 'now'> {
  readonly mode: AccessMode;
  readonly people: Pick<People, 'put' | 'invite' | 'end' | 'revoke'>;
  /** The people of this mode, wherever their accounts are kept. */
  readonly listed: Pick<People, 'all' | 'remove'>;
  readonly audit: AuditLog;
}

/** Creates the actions of administrators on people. */
function createPeopleActions(deps: PeopleDeps) {
  const { mode, people, listed, viewers, audit, addressOf } = deps;
  const record = ({ viewer, request }: Requesting, kind: AuditKind, detail: string): Promise<void> =>
    audit.record({ kind, who: viewer.id, name: viewer.name, address: addressOf(request), detail });
  const revoke = async (
    { query, context }: Input<null>,
    kind: Revoked['kind'],
  ): Promise<{ readonly count: number }> => {
    mustNotBeToken(viewers.identityOf(context.viewer));
    const [revoked] = await people.revoke((one, its) => its === kind && one.id === query['id']);
    if (revoked === undefined)
      throw new VenueFailure({
        type: 'bad-parameter',
        detail:
          `There is no such ${kind === 'tokens' ? 'API token' : 'passkey'}. It may have been ` +
          `${kind === 'tokens' ? 'revoked' : 'deleted'} already.`,
        parameter: 'id',
      });
    await record(context, kind === 'tokens' ? 'token changed' : 'person changed', describeRevoked(revoked));
    return { count: 1 };
  };
  return {
    putPerson: async ({ body, query, context }: Input<GivenPerson>) => {
      const { person, ended } = await people.put(body, { keep: toKeep(query), by: byOf(deps, context) });
      await record(
        context,
        'person changed',
        [
          describePerson(person, body.id === '' ? 'Added' : 'Changed'),
          ...(ended === null ? [] : [describeEnded(ended, person.name)]),
        ].join(' '),
      );
      return { count: 1 };
    },
    deletePerson: async ({ query, context }: Input<null>) => {
      mustNotBeToken(viewers.identityOf(context.viewer));
      const { name } = await listed.remove(query['id'] ?? '', byOf(deps, context));
      await record(
        context,
        'person changed',
        `Deleted "${name}", with all sessions, ` +
          (mode === 'users'
            ? 'API tokens and saved views.'
            : 'saved views and preferences. They can come back while the provider or proxy vouches for them.'),
      );
      return { count: 1 };
    },
    invitePerson: async ({ query, context }: Input<null>) => {
      const { person, path, expiresAt } = await people.invite(query['id'] ?? '', INVITED_FOR_MS, {
        keep: toKeep(query),
        by: byOf(deps, context),
      });
      await record(context, 'person changed', `Created an invitation for "${person.name}".`);
      return { person: person.id, path, expires_at: toInstant(expiresAt) };
    },
    endSessionsOf: async ({ query, context }: Input<null>) => {
      mustNotBeToken(viewers.identityOf(context.viewer));
      const id = query['id'] ?? '';
      const ended = await people.end(id, toKeep(query));
      const name = listed.all().find((person) => person.id === id)?.name ?? id;
      await record(context, 'session ended', describeEnded(ended, name));
      return { count: ended.sessions, tokens: ended.tokens, passkeys: ended.passkeys };
    },
    revokeTokenOf: (input: Input<null>) => revoke(input, 'tokens'),
    removePasskeyOf: (input: Input<null>) => revoke(input, 'passkeys'),
  };
}

function toKeep(query: Readonly<Record<string, string>>): Keep {
  return { tokens: query['keep_tokens'] === 'true', passkeys: query['keep_passkeys'] === 'true' };
}

function byOf(deps: PeopleDeps, { viewer }: Requesting): Administrator {
  const identity = deps.viewers.identityOf(viewer);
  if (identity === null) throw new Error('Only who is signed in changes people.');
  return createAdministrator(identity, () => {
    if (identity.session !== null) mustBeRecent(deps, identity.session);
  });
}

export interface AccessConfig {
  readonly mode: AccessMode;
  readonly sessionHours: number;
  readonly idleHours: number;
  /** Signs the cookies of browsers. */
  readonly key: string;
  /** Keys that signed them before. */
  readonly earlierKeys?: () => readonly string[];
  /** Null if Perpdesk keeps its people itself or has none. */
  readonly provider: ProviderSettings | null;
  /** Returns the origin of the pages that a request belongs to. */
  readonly originOf: OriginOf;
  /** Returns the origin at which people open Perpdesk. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
  /** The settings in force. The names of changed ones are recorded. */
  readonly given: GivenSettings;
  readonly auditing: AuditSettings;
}

interface AccessDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'>, AmongDesks {
  readonly store: Store;
  /** Whether this server does what only one of several on a store may do. */
  readonly holdsLease: () => boolean;
}

/** People, sessions and tokens, and the record of what they did. */
export interface AccessRoom {
  readonly mode: AccessMode;
  readonly identify: Identify;
  /** By endpoint of the contract. */
  readonly responders: ReturnType<typeof createAccessResponders>;
  /** By action of the contract. */
  readonly performers: ReturnType<typeof createPerformers>;
  /** Records what each viewer reads; undefined if there is no sign-in. */
  readonly observer: Observer | undefined;
  /** Null if people do not sign in at an OpenID provider. */
  readonly oidc: OidcRoom | null;
  /** Whether a person may send notifications. Only a known person without that right may not. */
  readonly mayNotify: (person: string) => boolean;
  readonly sessions: SignInSessions;
  readonly people: People;
  readonly audit: AuditLog;
  readonly auditUsage: AuditStore['usage'];
  /** Counts by outcome; null without sign-in. */
  readonly signIns: () => Readonly<Record<string, number>> | null;
  /** The commands for the owner of the data folder. */
  readonly commands: {
    readonly user: (caller: Caller) => RunUserCommand;
    readonly audit: AuditSource;
    readonly endRestored: (by: string) => Promise<readonly string[]>;
  };
  /** Whether people must sign in but none can yet. Creates the first administrator if there are no people. */
  readonly hasNobody: () => Promise<boolean>;
  /** Returns the path of the link with which the first administrator chooses a password. */
  readonly inviteFirst: () => Promise<string>;
  readonly start: (version: string) => void;
  readonly close: () => Promise<void>;
}

/** Loaded only if there is a provider. */
const loadProvider = () => import('./open-provider.ts');

const HOUR_MS = 3_600_000;

export async function openAccessRoom(config: AccessConfig, deps: AccessDeps): Promise<AccessRoom> {
  const { mode, key, earlierKeys, addressOf } = config;
  const { store, now, schedule, log } = deps;
  const idleMs = config.idleHours * HOUR_MS;
  const book = await openAccessRegistry(store);
  const { target } = config.auditing;
  const lines = target === null ? null : openAuditLines(target, deps);
  const auditStore = createAuditStore(store, config.auditing, lines?.write);
  const announced = createAnnouncedEvents(deps);
  const audit = createAuditLog({ store: auditStore, now, schedule, log, note: announced.note });
  const starts = { ...deps, store: auditStore, audit, key, earlierKeys };
  const runs = createRuns(starts);
  const kept = createViewers({ mode, book, idleMs, now });
  const sessions = createSignInSessions({ book, sessionMs: config.sessionHours * HOUR_MS, addressOf, now });
  const provided = createProvidedPeople(book, mode, now);
  const provider =
    config.provider &&
    (await loadProvider()).openProvider(config.provider, {
      ...config,
      ...deps,
      book,
      sessions,
      viewers: kept,
      people: provided,
      audit,
    });
  const viewers = {
    ...kept,
    identityOf: (viewer: Viewer) => kept.identityOf(viewer) ?? provider?.identityOf(viewer) ?? null,
  };
  const people = createPeople(book, now);
  // Without sign-in, stored people do not count.
  const listed = mode === 'users' ? people : provided;
  const shared = {
    ...config,
    book,
    viewers,
    sessions,
    people,
    listed,
    audit,
    passwords: createPasswords(),
    lockOut: createLockOut(now, openSharedFailures(key, deps)),
    devices: createKnownDevices(key, earlierKeys),
    attempts: createAttempts<Begun>(key, now, store, earlierKeys),
    leaveProvider: provider?.oidc?.leave,
    now,
  };
  const sweeper = createSweeper({
    ...deps,
    book,
    idleMs,
    sweep: () => {
      viewers.sweep();
      provider?.sweep();
    },
  });
  return {
    mode,
    identify:
      mode === 'local'
        ? () => Promise.resolve(LOCAL_VIEWER)
        : withRejections(
            provider?.identify ?? createIdentify(viewers, createCatchUp(book, store, schedule)),
            audit,
            addressOf,
          ),
    oidc: provider?.oidc ?? null,
    responders: createAccessResponders({ mode, book, people: listed, viewers, audit: auditStore, now }),
    performers: createPerformers(mode, shared),
    observer: mode === 'local' ? undefined : createObserver(audit, addressOf),
    mayNotify: (person) => {
      const record = mode === 'local' || person === '' ? undefined : listed.all().find(({ id }) => id === person);
      return record === undefined || (record.scope.all && record.roles.includes('operations'));
    },
    sessions,
    people,
    audit,
    auditUsage: auditStore.usage,
    signIns: () => (mode === 'local' ? null : announced.signIns()),
    commands: {
      user: (caller) =>
        REASONS[mode] === OF_PROVIDER
          ? () => Promise.reject(new Error(OF_PROVIDER))
          : createUserCommands({ people, book, audit, caller }),
      audit: auditStore,
      endRestored: (by) => endRestoredAccess(book, audit, by),
    },
    hasNobody: () => (mode === 'users' ? ensureFirst(people) : Promise.resolve(false)),
    inviteFirst: async () => (await people.invite(people.findByName(FIRST.name)?.id ?? '', HOUR_MS)).path,
    start: (version) => {
      // The store reports its own failure, and an entry waits until it can be stored.
      if (mode !== 'local') void runs.begin(version).catch(() => undefined);
      void recordChangedSettings(config.given, starts).catch(() => undefined);
      if (mode !== 'local') sweeper.start();
      if (provider !== null) void provided.recordEarlier(store).catch(() => undefined);
      provider?.start();
    },
    close: async () => {
      await provider?.close();
      await sweeper.close();
      if (await audit.close()) await runs.end();
      announced.close();
      await lines?.close();
    },
  };
}

/** A restart forgets the failures of the only desk on a store. */
function openSharedFailures(key: string, { store, elapsed }: AccessDeps): SharedFailures | null {
  return store.isShared ? createSharedFailures({ store, key, windowMs: WINDOW_MS, elapsed }) : null;
}

const FIRST = { name: 'admin', roles: ['operations', 'admin'], scope: { ...NO_ACCOUNTS, all: true }, disabled: false };

async function ensureFirst(people: People): Promise<boolean> {
  const all = people.all();
  if (all.length === 0) await people.put({ ...FIRST, id: '' });
  return all.every(
    ({ name, password, lastSignedInAt }) => name === FIRST.name && password === null && lastSignedInAt === null,
  );
}

type Shared = Parameters<typeof createPasskeyActions>[0] &
  Parameters<typeof createPeopleActions>[0] &
  Parameters<typeof createOwnActions>[0];

/** Actions that a mode lacks are rejected with the reason. */
function createPerformers(mode: AccessMode, parts: Shared) {
  const all = {
    ...createSignIn(parts),
    ...createPasswordActions(parts),
    ...createPasskeyActions(parts),
    ...createOwnPasskeyActions(parts),
    ...createOwnActions(parts),
    ...createPeopleActions(parts),
  };
  const refused =
    mode === 'users' ? [] : Object.keys(all).filter((name) => mode === 'local' || !WITH_PROVIDER.includes(name));
  const refuse = () => Promise.reject(new VenueFailure({ type: 'not-allowed', detail: REASONS[mode] }));
  return { ...all, ...(Object.fromEntries(refused.map((name) => [name, refuse])) as Partial<typeof all>) };
}

const WITH_PROVIDER: readonly string[] = ['signOut', 'endSession', 'recordExport', 'endSessionsOf', 'deletePerson'];

const OF_PROVIDER =
  'This is not available: people sign in at an OpenID provider or a proxy, and are managed there, not ' +
  'in this Perpdesk.';
const REASONS: Readonly<Record<AccessMode, string>> = {
  local: 'This Perpdesk has no sign-in: everyone on its machine can use it. To let people sign in, set DESK_ACCESS.',
  users: '',
  oidc: OF_PROVIDER,
  proxy: OF_PROVIDER,
};
