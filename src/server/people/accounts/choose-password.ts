import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessState } from './access-registry.ts';
import { describeEnded, KEEP_NOTHING, planEnd } from './end-access.ts';
import { toComparable } from './people.ts';
import type { PersonRecord, SignInSessionRecord } from './records.ts';
import type { Input, Requesting } from './requesting.ts';
import { hashOf } from './secrets.ts';
import {
  LONGEST_CHECKED,
  mustBeKept,
  mustBeRecent,
  mustHaveSession,
  noteVerified,
  openSession,
  type SignInDeps,
} from './sign-in.ts';

const SHORTEST = 12;
/** Longer passwords add no strength, and estimating them takes long. */
const LONGEST = 128;
/** Out of 4. With a lower score, 10^8 guesses suffice. */
const LEAST_SCORE = 3;

/** Rejects a new password that is short or easily guessed. `words` are what an attacker would try first. */
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

/** Loaded on demand, because its dictionaries of common passwords are large. */
async function scoreOf(password: string, words: readonly string[]): Promise<number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(password, ['perpdesk', ...words]).score;
}

const NO_INVITATION =
  'This link no longer works: it was already used, has expired, or was replaced by a newer one. ' +
  'Request a new link from an administrator.';

/** Creates the actions that choose a password: the first with an invitation, a later one with the previous password. */
export function createPasswordActions(deps: SignInDeps) {
  const { book, passwords, viewers, audit, addressOf, now } = deps;
  return {
    acceptInvitation: async ({
      body: { invitation, password },
      context,
    }: Input<{ readonly invitation: string; readonly password: string }>) => {
      // The invitation's secret has 256 random bits, so it cannot be guessed and failures are not counted.
      const person = findInvited(book.state(), invitation, now());
      await checkNewPassword(password, [person.name]);
      const hash = await passwords.hash(password);
      const ended = await book.change((state) => {
        // Of two simultaneous requests, only the first can use the invitation.
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
      return openSession(deps, context, person, 'password');
    },
    changePassword: async ({
      body: { before, password },
      context,
    }: Input<{ readonly before: string; readonly password: string }>) => {
      const { session, personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const person = mustBeKept(book.state().people.get(personId));
      if (person.password === null) mustBeRecent(deps, session);
      else await verifyOwn(deps, context, person, session, { password: before, path: '$.before' });
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
      await verifyOwn(deps, context, mustBeKept(book.state().people.get(personId)), session, {
        password,
        path: '$.password',
      });
      return noteVerified(deps, session, context, 'the password');
    },
  };
}

/** Verifies the password of the signed-in person. Failures count in this session only. */
async function verifyOwn(
  { passwords, lockOut, addressOf }: SignInDeps,
  { request }: Requesting,
  person: PersonRecord,
  { id }: Pick<SignInSessionRecord, 'id'>,
  { password, path }: { readonly password: string; readonly path: string },
): Promise<void> {
  const attempt = { name: toComparable(person.name), address: addressOf(request), device: id };
  await lockOut.begin(attempt);
  if (!(await passwords.verify(password.slice(0, LONGEST_CHECKED), person.password, { isKnown: true })))
    throw new VenueFailure({
      type: 'bad-body',
      detail: 'The current password is wrong.',
      errors: [{ path, detail: 'must be the current password' }],
    });
  await lockOut.succeed(attempt);
}

function findInvited({ invitations, people }: AccessState, secret: string, now: number): PersonRecord {
  const hash = hashOf(secret);
  const invitation = [...invitations.values()].find((one) => one.hash === hash);
  const person = invitation === undefined || now >= invitation.expiresAt ? undefined : people.get(invitation.id);
  if (person === undefined || person.disabled) throw new VenueFailure({ type: 'not-allowed', detail: NO_INVITATION });
  return person;
}
