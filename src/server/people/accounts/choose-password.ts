import { VenueFailure } from '../../core/venue-failure.ts';
import type { AccessState } from './access-book.ts';
import { describeEnded, KEEP_NOTHING, planEnd } from './end-access.ts';
import { toComparable } from './people.ts';
import type { PersonRecord, SessionRecord } from './records.ts';
import type { Input, Requesting } from './requesting.ts';
import { hashOf } from './secrets.ts';
import {
  LONGEST_CHECKED,
  mustBeKept,
  mustBeRecent,
  mustHaveSession,
  noteVerified,
  openSession,
  type SignInParts,
} from './sign-in.ts';

const SHORTEST = 12;
/** Longer ones add no strength, and estimating them takes long. */
const LONGEST = 128;
/** Of four: below it, at most 10^8 guesses are needed. */
const LEAST_SCORE = 3;

/** Rejects a new password that is short or easily guessed. `words`: what somebody who guesses would try first. */
async function checkNewPassword(password: string, words: readonly string[]): Promise<void> {
  const length = Array.from(password.normalize('NFKC')).length;
  if (length < SHORTEST)
    reject(
      `must have at least ${String(SHORTEST)} characters; a few unrelated words are long enough, and easy to remember`,
    );
  if (length > LONGEST) reject(`must have at most ${String(LONGEST)} characters`);
  if ((await scoreOf(password.normalize('NFKC'), words)) < LEAST_SCORE)
    reject('is easily guessed: use a few words that do not belong together, or one that a password manager creates');
}

function reject(detail: string): never {
  throw new VenueFailure({
    type: 'bad-body',
    detail: `The password ${detail}.`,
    errors: [{ path: '$.password', detail }],
  });
}

/** Its dictionaries of common passwords are large, and needed only when somebody chooses one. */
async function scoreOf(password: string, words: readonly string[]): Promise<number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(password, ['perpdesk', ...words]).score;
}

const NO_INVITATION =
  'This link no longer works: it was already used, has expired, or was replaced by a newer one. Request a new link from an administrator.';

/** Choosing a password: the first one by an invitation, a later one by that before it. */
export function createPasswordActions(parts: SignInParts) {
  const { book, passwords, viewers, audit, addressOf, now } = parts;
  return {
    acceptInvitation: async ({
      body: { invitation, password },
      context,
    }: Input<{ readonly invitation: string; readonly password: string }>) => {
      // Its secret has 256 random bits: nobody guesses it, so failures are not counted.
      const person = findInvited(book.state(), invitation, now());
      await checkNewPassword(password, [person.name]);
      const hash = await passwords.hash(password);
      const ended = await book.change((state) => {
        // Of two at once, the first one has used it.
        const current = findInvited(state, invitation, now());
        const { drop, ended: counts } = planEnd(
          state,
          person.id,
          state.invitations.get(person.id)?.keep ?? KEEP_NOTHING,
        );
        return [
          { put: { people: [{ ...current, password: hash }] }, drop: { ...drop, invitations: [person.id] } },
          counts,
        ];
      });
      await audit.record({
        kind: 'person changed',
        who: person.id,
        name: person.name,
        address: addressOf(context.request),
        detail: `Chose a password with an invitation. ${describeEnded(ended, person.name)}`,
      });
      return openSession(parts, context, person, 'password');
    },
    changePassword: async ({
      body: { before, password },
      context,
    }: Input<{ readonly before: string; readonly password: string }>) => {
      const { session, personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const person = mustBeKept(book.state().people.get(personId));
      if (person.password === null) mustBeRecent(parts, session);
      else await verifyOwn(parts, context, person, session, { password: before, path: '$.before' });
      await checkNewPassword(password, [person.name]);
      const hash = await passwords.hash(password);
      await book.change((state) => {
        const current = mustBeKept(state.people.get(personId));
        if (current.password !== person.password)
          throw new VenueFailure({
            type: 'changed-meanwhile',
            detail: 'The password was changed elsewhere in the meantime, so nothing was saved.',
          });
        const others = [...state.sessions.values()]
          .filter(({ id, person: owner }) => owner === personId && id !== session.id)
          .map(({ id }) => id);
        const own = state.sessions.get(session.id);
        return [
          {
            put: {
              people: [{ ...current, password: hash }],
              sessions: own === undefined ? [] : [{ ...own, verifiedAt: now() }],
            },
            drop: { sessions: others },
          },
          undefined,
        ];
      });
      await audit.record({
        kind: 'person changed',
        who: personId,
        name: person.name,
        address: addressOf(context.request),
        detail: 'Changed their own password.',
      });
      return { count: 1 };
    },
    confirmWithPassword: async ({ body: { password }, context }: Input<{ readonly password: string }>) => {
      const { session, personId } = mustHaveSession(viewers.identityOf(context.viewer));
      await verifyOwn(parts, context, mustBeKept(book.state().people.get(personId)), session, {
        password,
        path: '$.password',
      });
      return noteVerified(parts, session, context, 'the password');
    },
  };
}

/** Whether who is signed in knows their password. Failures count in this session alone. */
async function verifyOwn(
  { passwords, lockOut, addressOf }: SignInParts,
  { request }: Requesting,
  person: PersonRecord,
  { id }: Pick<SessionRecord, 'id'>,
  { password, path }: { readonly password: string; readonly path: string },
): Promise<void> {
  const attempt = { name: toComparable(person.name), address: addressOf(request), device: id };
  lockOut.begin(attempt);
  if (!(await passwords.verify(password.slice(0, LONGEST_CHECKED), person.password)))
    throw new VenueFailure({
      type: 'bad-body',
      detail: 'The current password is wrong.',
      errors: [{ path, detail: 'must be the current password' }],
    });
  lockOut.succeed(attempt);
}

function findInvited({ invitations, people }: AccessState, secret: string, now: number): PersonRecord {
  const hash = hashOf(secret);
  const invitation = [...invitations.values()].find((one) => one.hash === hash);
  const person = invitation === undefined || now >= invitation.expiresAt ? undefined : people.get(invitation.id);
  if (person === undefined || person.disabled) throw new VenueFailure({ type: 'not-allowed', detail: NO_INVITATION });
  return person;
}
