import { VenueFailure } from '../venue-failure.ts';
import type { AccessState } from './access-book.ts';
import { checkNewPassword } from './password-policy.ts';
import { toComparable } from './people.ts';
import type { PersonRecord } from './records.ts';
import type { Input } from './requesting.ts';
import { hashOf } from './secrets.ts';
import { LONGEST_CHECKED, mustBeKept, mustHaveSession, openSession, type SignInParts } from './sign-in.ts';

const NO_INVITATION = 'This link no longer works: it was already used, has expired, or was replaced by a newer one. Request a new link from an administrator.';

/** Choosing a password: the first one by an invitation, a later one by that before it. */
export function createPasswordActions(parts: SignInParts) {
  const { book, passwords, lockOut, viewers, audit, addressOf, now } = parts;
  return {
    acceptInvitation: async ({ body: { invitation, password }, context }: Input<{ readonly invitation: string; readonly password: string }>) => {
      // Its secret has 256 random bits: nobody guesses it, so failures are not counted.
      const person = findInvited(book.state(), invitation, now());
      await checkNewPassword(password, [person.name]);
      const hash = await passwords.hash(password);
      await book.change((state) => {
        // Of two at once, the first one has used it.
        const current = findInvited(state, invitation, now());
        const others = [...state.sessions.values()].filter((session) => session.person === person.id).map(({ id }) => id);
        return [{ put: { people: [{ ...current, password: hash }] }, drop: { invitations: [person.id], sessions: others } }, undefined];
      });
      await audit.record({ kind: 'person changed', who: person.id, name: person.name, address: addressOf(context.request), detail: 'Chose a password with an invitation.' });
      return openSession(parts, context, person, 'password');
    },
    changePassword: async ({ body: { before, password }, context }: Input<{ readonly before: string; readonly password: string }>) => {
      const { session, personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const person = mustBeKept(book.state().people.get(personId));
      const attempt = { name: toComparable(person.name), address: addressOf(context.request), device: session.id };
      lockOut.begin(attempt);
      if (person.password !== null && !(await passwords.verify(before.slice(0, LONGEST_CHECKED), person.password))) {
        throw new VenueFailure({ type: 'bad-body', detail: 'The current password is wrong.', errors: [{ path: '$.before', detail: 'must be the current password' }] });
      }
      lockOut.succeed(attempt);
      await checkNewPassword(password, [person.name]);
      const hash = await passwords.hash(password);
      await book.change((state) => {
        const current = mustBeKept(state.people.get(personId));
        if (current.password !== person.password) throw new VenueFailure({ type: 'changed-meanwhile', detail: 'The password was changed elsewhere in the meantime, so nothing was saved.' });
        const others = [...state.sessions.values()].filter(({ id, person: owner }) => owner === personId && id !== session.id).map(({ id }) => id);
        return [{ put: { people: [{ ...current, password: hash }] }, drop: { sessions: others } }, undefined];
      });
      await audit.record({ kind: 'person changed', who: personId, name: person.name, address: attempt.address, detail: 'Changed their own password.' });
      return { count: 1 };
    },
  };
}

function findInvited({ invitations, people }: AccessState, secret: string, now: number): PersonRecord {
  const hash = hashOf(secret);
  const invitation = [...invitations.values()].find((one) => one.hash === hash);
  const person = invitation === undefined || now >= invitation.expiresAt ? undefined : people.get(invitation.id);
  if (person === undefined || person.disabled) throw new VenueFailure({ type: 'not-allowed', detail: NO_INVITATION });
  return person;
}
