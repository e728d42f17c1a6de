import type { AccessMode } from '#contract/desk/roles.ts';
import type { GatewayPorts } from '#server/core/ports.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import type { Store } from '#server/store/store.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER, type Identify, type Viewer } from '#server/core/viewer.ts';
import { openAccessBook } from './accounts/access-book.ts';
import { createAuditLog, type AuditLog } from './audit/audit-log.ts';
import { createAuditStore } from './audit/audit-store.ts';
import type { AuditSource } from './commands/audit-commands.ts';
import { createUserCommands, type RunUserCommand } from './commands/user-commands.ts';
import { recordChangedSettings, type GivenSettings } from './audit/changed-settings.ts';
import { createRuns } from './audit/runs.ts';
import { createAccessResponders } from './accounts/describe-access.ts';
import { NO_ACCOUNTS } from './accounts/entitlement.ts';
import { createIdentify } from './accounts/identify.ts';
import { createKnownDevices } from './accounts/known-device.ts';
import { createLockOut } from './accounts/lock-out.ts';
import { createObserver, withRefusals, type Observer } from './accounts/observe.ts';
import type { OidcRoom } from './open-provider.ts';
import { createOwnActions } from './accounts/own-actions.ts';
import { createAttempts } from './accounts/attempts.ts';
import { createOwnPasskeyActions, createPasskeyActions, type Begun } from './accounts/passkeys.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createPeople, type People } from './accounts/people.ts';
import { createPeopleActions } from './accounts/people-actions.ts';
import { createProvidedPeople } from './accounts/provided-people.ts';
import type { AddressOf, OriginOf } from './accounts/requesting.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createPasswordActions } from './accounts/choose-password.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { createSweeper } from './accounts/sweeper.ts';
import { createViewers } from './accounts/viewers.ts';

export interface AccessConfig {
  readonly mode: AccessMode;
  readonly sessionHours: number;
  readonly idleHours: number;
  /** Signs what browsers keep. */
  readonly key: string;
  /** Null: the desk keeps its people itself, or has none. */
  readonly provider: ProviderSettings | null;
  /** Origin of the pages that a request belongs to. */
  readonly originOf: OriginOf;
  /** Origin at which people open the desk. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
  /** The settings in force, of which the names of changed ones are recorded. */
  readonly given: GivenSettings;
}

interface AccessParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly store: Store;
  /** Whether this desk alone does what only one of those on a store may do. */
  readonly holdsLease: () => boolean;
}

/** Who uses this desk: people, sessions, tokens, and what they did. */
export interface AccessRoom {
  readonly mode: AccessMode;
  readonly identify: Identify;
  /** By the endpoints of the contract. */
  readonly responders: ReturnType<typeof createAccessResponders>;
  /** By the actions of the contract. */
  readonly performers: ReturnType<typeof createPerformers>;
  /** Learns what each viewer reads; undefined where nobody signs in. */
  readonly observer: Observer | undefined;
  /** Null: people do not sign in at an OpenID provider. */
  readonly oidc: OidcRoom | null;
  /** Whether a person may have channels called: unless they are there without that right. */
  readonly mayCall: (person: string) => boolean;
  readonly sessions: Sessions;
  readonly people: People;
  readonly audit: AuditLog;
  /** For the owner of the data folder. */
  readonly commands: { readonly user: (baseUrl: string) => RunUserCommand; readonly audit: AuditSource };
  /** Whether people are to sign in, and none of them can. The first administrator is there then. */
  readonly hasNobody: () => Promise<boolean>;
  /** Path of a link with which the first administrator chooses a password. */
  readonly inviteFirst: () => Promise<string>;
  readonly start: (version: string) => void;
  readonly close: () => Promise<void>;
}

/** A desk without a provider loads none of it. */
const loadProvider = () => import('./open-provider.ts');

const HOUR_MS = 3_600_000;

export async function openAccessRoom(config: AccessConfig, parts: AccessParts): Promise<AccessRoom> {
  const { mode, key, addressOf } = config;
  const { store, now, schedule, log } = parts;
  const idleMs = config.idleHours * HOUR_MS;
  const book = await openAccessBook(store);
  const auditStore = createAuditStore(store);
  const audit = createAuditLog({ store: auditStore, now, schedule, log });
  const runs = createRuns({ store: auditStore, audit, now });
  const kept = createViewers({ mode, book, idleMs, now });
  const sessions = createSessions({ book, sessionMs: config.sessionHours * HOUR_MS, addressOf, now });
  const provided = createProvidedPeople(book, mode, now);
  const provider =
    config.provider &&
    (await loadProvider()).openProvider(config.provider, {
      ...config,
      ...parts,
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
  // Where nobody signs in there are none, whoever is stored.
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
    lockOut: createLockOut(now),
    devices: createKnownDevices(key),
    attempts: createAttempts<Begun>(key, now),
    now,
  };
  const sweeper = createSweeper({
    ...parts,
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
        : withRefusals(provider?.identify ?? createIdentify(viewers), audit, addressOf),
    oidc: provider?.oidc ?? null,
    responders: createAccessResponders({ mode, book, people: listed, viewers, audit: auditStore, now }),
    performers: createPerformers(mode, shared),
    observer: mode === 'local' ? undefined : createObserver(audit, addressOf),
    mayCall: (person) => {
      const record = mode === 'local' || person === '' ? undefined : listed.all().find(({ id }) => id === person);
      return record === undefined || (record.scope.all && record.roles.includes('operations'));
    },
    sessions,
    people,
    audit,
    commands: {
      user: (baseUrl) =>
        REASONS[mode] === OF_PROVIDER
          ? () => Promise.reject(new Error(OF_PROVIDER))
          : createUserCommands({ people, book, audit, baseUrl }),
      audit: auditStore,
    },
    hasNobody: () => (mode === 'users' ? ensureFirst(people) : Promise.resolve(false)),
    inviteFirst: async () => (await people.invite(people.findByName(FIRST.name)?.id ?? '', HOUR_MS)).path,
    start: (version) => {
      // Whoever cannot write to the store reports it, and an entry waits until it can be stored.
      if (mode !== 'local') void runs.begin(version).catch(() => undefined);
      void recordChangedSettings(config.given, key, auditStore, audit).catch(() => undefined);
      if (mode !== 'local') sweeper.start();
      if (provider !== null) void provided.recordEarlier(store).catch(() => undefined);
      provider?.start();
    },
    close: async () => {
      await provider?.close();
      await sweeper.close();
      if (await audit.close()) await runs.end();
    },
  };
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

/** What a mode does not have is refused, with the reason. */
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
  'This is not available: people sign in at an OpenID provider or a proxy, and are managed there, not in this Perpdesk.';
const REASONS: Readonly<Record<AccessMode, string>> = {
  local: 'This Perpdesk has no sign-in: everyone on its machine can use it. To let people sign in, set DESK_ACCESS.',
  users: '',
  oidc: OF_PROVIDER,
  proxy: OF_PROVIDER,
};
