import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessRegistry } from './access-registry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { type AuditEvent, LOCKED_OUT } from '../audit/audit-store.ts';
import type { KnownDevices, LockOut } from './lock-out.ts';
import type { Passwords } from './passwords.ts';
import { toComparable, type People } from './people.ts';
import type { PersonRecord, SignInSessionRecord, SignInWay } from './records.ts';
import type { AddressOf, Input, Requesting } from './requesting.ts';
import { NO_SESSION, type SignInSessions } from './sessions.ts';
import type { Identity, Viewers } from './viewers.ts';

export interface SignInDeps {
  readonly book: Pick<AccessRegistry, 'state' | 'change'>;
  readonly people: People;
  readonly passwords: Passwords;
  readonly lockOut: LockOut;
  readonly devices: KnownDevices;
  readonly sessions: SignInSessions;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  readonly addressOf: AddressOf;
  /** Returns the address that ends a session at the provider too; undefined without a provider that people sign in at. */
  readonly leaveProvider: ((context: Requesting, session: SignInSessionRecord) => Promise<string>) | undefined;
  readonly now: () => number;
}

/** One sentence for all cases, since telling them apart would reveal who may sign in. */
const WRONG = 'The name or the password is wrong, or this person is disabled.';

/** Creates the actions that sign in with a password, and sign out. */
export function createSignIn(deps: SignInDeps) {
  const { people, passwords, lockOut, devices, sessions, viewers, audit, addressOf, leaveProvider } = deps;
  return {
    signIn: async ({
      body: { name, password },
      context,
    }: Input<{ readonly name: string; readonly password: string }>) => {
      const { request } = context;
      const address = addressOf(request);
      const refuse = (of: string, why: Pick<AuditEvent, 'detail' | 'isLockedOut'>): void => {
        audit.gather({ kind: 'sign-in refused', who: '', name: of, address, ...why });
      };
      const unlessLocked = async (of: string, check: () => void | Promise<void>): Promise<void> => {
        try {
          await check();
        } catch (error) {
          refuse(of, LOCKED_OUT);
          throw error;
        }
      };
      if (!devices.isClaimed(request))
        await unlessLocked('', () => {
          lockOut.mustBeOpen(address);
        });
      const person = people.findByName(name);
      // Unknown names are not logged, since they may be passwords typed into the wrong field.
      const known = person?.name ?? '';
      const attempt = { name: toComparable(name), address, device: devices.find(request, person?.id ?? NOBODY_ID) };
      await unlessLocked(known, () => lockOut.begin(attempt));
      // Also verifies the password of a disabled person, so that the duration does not reveal that they are disabled.
      const isRight = await passwords.verify(password.slice(0, LONGEST_CHECKED), person?.password ?? null, {
        isKnown: attempt.device !== null,
      });
      if (person === null || !isRight || person.disabled) {
        refuse(known, { detail: explainRejection(person, isRight) });
        throw new VenueFailure({ type: 'not-signed-in', detail: WRONG });
      }
      await lockOut.succeed(attempt);
      return openSession(deps, context, person, 'password');
    },
    signOut: async ({ context }: Pick<Input<null>, 'context'>) => {
      const { session } = mustHaveSession(viewers.identityOf(context.viewer));
      context.response.setHeader('set-cookie', NO_SESSION);
      const count = await sessions.end(({ id }) => id === session.id);
      await audit.record({
        kind: 'sign-out',
        who: context.viewer.id,
        name: context.viewer.name,
        address: addressOf(context.request),
        detail: 'Signed out.',
      });
      return { count, location: (await leaveProvider?.(context, session)) ?? '/' };
    },
  };
}

/** A stand-in, so that an unknown name takes the same work. */
const NOBODY_ID = '-';
/** No password is longer, so a longer input need not be hashed whole. */
export const LONGEST_CHECKED = 256;

function explainRejection(person: PersonRecord | null, isRight: boolean): string {
  if (person === null) return 'No person has the name that was entered.';
  return isRight ? 'The person is disabled.' : 'The password was wrong.';
}

/** Signs a person in and ends the previous session of this browser. */
export async function openSession(
  {
    sessions,
    devices,
    viewers,
    audit,
    addressOf,
  }: Pick<SignInDeps, 'sessions' | 'devices' | 'viewers' | 'audit' | 'addressOf'>,
  { request, response, viewer }: Requesting,
  person: PersonRecord,
  way: SignInWay,
): Promise<{ readonly count: number }> {
  const before = viewers.identityOf(viewer)?.session;
  const cookie = await sessions.open({ personId: person.id, name: person.name, granted: null, way, request });
  if (before) await sessions.end(({ id }) => id === before.id);
  for (const each of devices.find(request, person.id) === null ? [cookie, devices.toCookie(person.id)] : [cookie])
    response.appendHeader('set-cookie', each);
  await audit.record({
    kind: 'sign-in',
    who: person.id,
    name: person.name,
    address: addressOf(request),
    detail: way === 'passkey' ? 'Signed in with a passkey.' : 'Signed in with a password.',
  });
  return { count: 1 };
}

/** API tokens are for reading data and cannot change who has access. */
export function mustHaveSession(
  identity: Identity | null,
): Identity & { readonly session: NonNullable<Identity['session']> } {
  if (identity?.session) return { ...identity, session: identity.session };
  throw new VenueFailure({
    type: 'not-allowed',
    detail: 'This action needs a session in a browser: an API token cannot do it.',
  });
}

/** How long a sign-in counts as recent. For this long, an unattended browser can be used to add credentials. */
const RECENT_MS = 10 * 60_000;

/** Protects actions that would turn a stolen session into lasting access. */
export function mustBeRecent(
  { book, now }: Pick<SignInDeps, 'book' | 'now'>,
  { id }: Pick<SignInSessionRecord, 'id'>,
): void {
  const session = book.state().sessions.get(id);
  if (session !== undefined && now() - (session.verifiedAt ?? session.createdAt) < RECENT_MS) return;
  throw new VenueFailure({
    type: 'recent-sign-in-needed',
    detail:
      'This needs a sign-in within the last ten minutes. Confirm that it is you, with your password or a passkey.',
  });
}

/** Records that a password or passkey was verified in this session. */
export async function noteVerified(
  { book, audit, addressOf, now }: Pick<SignInDeps, 'book' | 'audit' | 'addressOf' | 'now'>,
  { id }: Pick<SignInSessionRecord, 'id'>,
  { request, viewer }: Requesting,
  how: string,
): Promise<{ readonly count: number }> {
  await book.change(({ sessions }) => {
    const session = sessions.get(id);
    return [session === undefined ? {} : { put: { sessions: [{ ...session, verifiedAt: now() }] } }, undefined];
  });
  await audit.record({
    kind: 'sign-in',
    who: viewer.id,
    name: viewer.name,
    address: addressOf(request),
    detail: `Confirmed with ${how}.`,
  });
  return { count: 1 };
}

export function mustBeKept(person: PersonRecord | undefined): PersonRecord {
  if (person !== undefined) return person;
  throw new VenueFailure({
    type: 'not-allowed',
    detail: 'Your account is managed at the provider, not in this Perpdesk. Change it there.',
  });
}
