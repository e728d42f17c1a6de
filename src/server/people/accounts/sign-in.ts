import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessBook } from './access-book.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { KnownDevices } from './known-device.ts';
import type { LockOut } from './lock-out.ts';
import type { Passwords } from './passwords.ts';
import { toComparable, type People } from './people.ts';
import type { PersonRecord, SessionRecord, SignInWay } from './records.ts';
import type { AddressOf, Input, Requesting } from './requesting.ts';
import { NO_SESSION, type Sessions } from './sessions.ts';
import type { Identity, Viewers } from './viewers.ts';

export interface SignInParts {
  readonly book: Pick<AccessBook, 'state' | 'change'>;
  readonly people: People;
  readonly passwords: Passwords;
  readonly lockOut: LockOut;
  readonly devices: KnownDevices;
  readonly sessions: Sessions;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  readonly addressOf: AddressOf;
  readonly now: () => number;
}

/** One sentence for all of these: which of them it is would say who may sign in. */
const WRONG = 'The name or the password is wrong, or this person is disabled.';

/** Signing in by password, and out. */
export function createSignIn(parts: SignInParts) {
  const { people, passwords, lockOut, devices, sessions, viewers, audit, addressOf } = parts;
  return {
    signIn: async ({
      body: { name, password },
      context,
    }: Input<{ readonly name: string; readonly password: string }>) => {
      const { request } = context;
      const address = addressOf(request);
      const refuse = (of: string, detail: string): void => {
        audit.gather({ kind: 'sign-in refused', who: '', name: of, address, detail });
      };
      const unlessLocked = (of: string, check: () => void): void => {
        try {
          check();
        } catch (error) {
          refuse(of, 'Too many failed attempts before this one.');
          throw error;
        }
      };
      if (!devices.isClaimed(request))
        unlessLocked('', () => {
          lockOut.mustBeOpen(address);
        });
      const person = people.findByName(name);
      // What is no name may be a password that was typed in the wrong field.
      const known = person?.name ?? '';
      const attempt = { name: toComparable(name), address, device: devices.find(request, person?.id ?? NOBODY_ID) };
      unlessLocked(known, () => {
        lockOut.begin(attempt);
      });
      // A disabled person is checked as well, so that nothing shows that they are.
      const isRight = await passwords.verify(password.slice(0, LONGEST_CHECKED), person?.password ?? null);
      if (person === null || !isRight || person.disabled) {
        refuse(known, explainRefusal(person, isRight));
        throw new VenueFailure({ type: 'not-signed-in', detail: WRONG });
      }
      lockOut.succeed(attempt);
      return openSession(parts, context, person, 'password');
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
      return { count };
    },
  };
}

/** So that an unknown name takes the same work. */
const NOBODY_ID = '-';
/** No password is longer; what is, need not be hashed whole. */
export const LONGEST_CHECKED = 256;

function explainRefusal(person: PersonRecord | null, isRight: boolean): string {
  if (person === null) return 'No person has the name that was entered.';
  return isRight ? 'The person is disabled.' : 'The password was wrong.';
}

/** Signs a person in, in place of whoever was signed in in this browser. */
export async function openSession(
  {
    sessions,
    devices,
    viewers,
    audit,
    addressOf,
  }: Pick<SignInParts, 'sessions' | 'devices' | 'viewers' | 'audit' | 'addressOf'>,
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

/** Tokens are for reading data: they change nothing about who may. */
export function mustHaveSession(
  identity: Identity | null,
): Identity & { readonly session: NonNullable<Identity['session']> } {
  if (identity?.session) return { ...identity, session: identity.session };
  throw new VenueFailure({
    type: 'not-allowed',
    detail: 'This action needs a session in a browser: an API token cannot do it.',
  });
}

/** How long a sign-in is recent: for so long, a browser that is left open can be used to add ways in. */
const RECENT_MS = 10 * 60_000;

/** For what would give lasting access to whoever only has the session. */
export function mustBeRecent(
  { book, now }: Pick<SignInParts, 'book' | 'now'>,
  { id }: Pick<SessionRecord, 'id'>,
): void {
  const session = book.state().sessions.get(id);
  if (session !== undefined && now() - (session.verifiedAt ?? session.createdAt) < RECENT_MS) return;
  throw new VenueFailure({
    type: 'recent-sign-in-needed',
    detail:
      'This needs a sign-in within the last ten minutes. Confirm that it is you, with your password or a passkey.',
  });
}

/** The password or a passkey of its person was verified in this session. */
export async function noteVerified(
  { book, audit, addressOf, now }: Pick<SignInParts, 'book' | 'audit' | 'addressOf' | 'now'>,
  { id }: Pick<SessionRecord, 'id'>,
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
