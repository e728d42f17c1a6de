import { type AccessMode, ROLES } from '#contract/desk/roles.ts';
import type { Step } from '#sql/driver.ts';
import { toSavedOwner } from '#server/core/viewer.ts';
import { savedItems, sharedViews } from '#server/store/tables.ts';
import { type AccountScope, SCOPE_LISTS } from '#contract/desk/access.ts';
import { type Entitlement, toEntitlement } from './entitlement.ts';
import type { InvitationRecord, Keep, PasskeyRecord, PersonRecord, TokenRecord } from './records.ts';
import { hasUnseen, NO_UNSEEN } from '#contract/desk/unseen.ts';
import type { BodyError } from '#contract/desk/problems.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessRegistry, AccessState } from './access-registry.ts';
import type { Administrator } from './administrator.ts';
import { type Ended, KEEP_NOTHING, planEnd } from './end-access.ts';
import { hashOf, newId, newSecret } from './secrets.ts';

interface Changeable {
  readonly name: string;
  readonly roles: readonly string[];
  readonly scope: AccountScope;
  readonly disabled: boolean;
}

export interface GivenPerson extends Changeable {
  /** Empty for a new person. */
  readonly id: string;
  /** The expected previous values. Without it, any values are replaced. */
  readonly before?: Changeable;
}

interface Invited {
  readonly person: PersonRecord;
  readonly path: string;
  readonly expiresAt: number;
  /** What would end if the invitation were accepted now. */
  readonly toEnd: Ended;
}

interface Changed {
  readonly person: PersonRecord;
  /** Null unless the change disabled the person. */
  readonly ended: Ended | null;
}

/** An API token or passkey that was taken from a person. */
export interface Revoked {
  readonly kind: 'tokens' | 'passkeys';
  readonly name: string;
  /** The person's name. */
  readonly of: string;
}

interface EndOptions {
  readonly keep?: Keep;
  readonly by?: Administrator;
}

/**
 * People whose accounts Perpdesk keeps. `by` is the administrator who makes a change; without it, the owner of the
 * machine does.
 */
export interface People {
  readonly all: () => readonly PersonRecord[];
  readonly findByName: (name: string) => PersonRecord | null;
  /** Saves a person. Disabling one ends their access permanently, except for what they keep. */
  readonly put: (given: GivenPerson, options?: EndOptions) => Promise<Changed>;
  readonly remove: (id: string, by?: Administrator) => Promise<PersonRecord>;
  readonly invite: (id: string, forMs: number, options?: EndOptions) => Promise<Invited>;
  /** Returns whether there was an invitation. */
  readonly withdraw: (id: string) => Promise<boolean>;
  /** Ends all sessions, and the credentials that are not kept. */
  readonly end: (id: string, keep: Keep) => Promise<Ended>;
  readonly revoke: (
    chosen: (record: TokenRecord | PasskeyRecord, kind: Revoked['kind']) => boolean,
  ) => Promise<readonly Revoked[]>;
}

/** How long an invitation is valid. */
export const INVITED_FOR_MS = 3 * 86_400_000;
const LONGEST_NAME = 64;
const LONGEST_CODE = 64;
const MOST_CODES = 1_000;
const MOST_PEOPLE = 10_000;

export function createPeople(book: Pick<AccessRegistry, 'state' | 'change'>, now: () => number): People {
  return {
    all: () => [...book.state().people.values()],
    findByName: (name) => findByName(book.state(), name),
    put: (given, { keep = KEEP_NOTHING, by } = {}) =>
      book.change<Changed>((state) => {
        rejectDemoted(state, by);
        if (given.before !== undefined) rejectChanged(mustFind(state, given.id), given.before);
        const [before, person] = [state.people.get(given.id), toPerson(state, given, now())];
        by?.check({ kind: 'put', before, after: person });
        rejectNoAdmin({ ...state, people: new Map(state.people).set(person.id, person) }, state);
        if (!person.disabled || before?.disabled === true)
          return [{ put: { people: [person] } }, { person, ended: null }];
        const { drop, ended } = planEnd(state, person.id, keep);
        return [
          { put: { people: [person] }, drop },
          { person, ended },
        ];
      }),
    remove: (id, by) =>
      book.change((state) => {
        rejectDemoted(state, by);
        const person = mustFind(state, id);
        const people = new Map(state.people);
        people.delete(id);
        rejectNoAdmin({ ...state, people }, state);
        return [
          {
            drop: { ...planEnd(state, id, KEEP_NOTHING).drop, people: [id], invitations: [id] },
            also: toForgetSteps('users', id),
          },
          person,
        ];
      }),
    invite: (id, forMs, { keep = KEEP_NOTHING, by } = {}) =>
      book.change((state) => {
        rejectDemoted(state, by);
        const person = mustFind(state, id);
        by?.check({ kind: 'invite', person, hasPasskeys: planEnd(state, id, KEEP_NOTHING).drop.passkeys.length > 0 });
        const secret = newSecret();
        const invitation: InvitationRecord = { id, hash: hashOf(secret), expiresAt: now() + forMs, keep };
        return [
          { put: { invitations: [invitation] } },
          {
            person,
            path: `/invitation#${secret}`,
            expiresAt: invitation.expiresAt,
            toEnd: planEnd(state, id, keep).ended,
          },
        ];
      }),
    withdraw: (id) => book.change(({ invitations }) => [{ drop: { invitations: [id] } }, invitations.has(id)]),
    end: (id, keep) =>
      book.change((state) => {
        const { drop, ended } = planEnd(state, id, keep);
        return [{ drop }, ended];
      }),
    revoke: (chosen) =>
      book.change((state) => {
        const [tokens, passkeys] = [
          [...state.tokens.values()].filter((token) => chosen(token, 'tokens')),
          [...state.passkeys.values()].filter((passkey) => chosen(passkey, 'passkeys')),
        ];
        const toRevoked =
          (kind: Revoked['kind']) =>
          ({ name, person }: TokenRecord | PasskeyRecord): Revoked => ({
            kind,
            name,
            of: state.people.get(person)?.name ?? person,
          });
        return [
          { drop: { tokens: tokens.map(({ id }) => id), passkeys: passkeys.map(({ id }) => id) } },
          [...tokens.map(toRevoked('tokens')), ...passkeys.map(toRevoked('passkeys'))],
        ];
      }),
  };
}

/** Names that look alike count as one name. */
export function toComparable(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

function findByName({ people }: AccessState, name: string): PersonRecord | null {
  const wanted = toComparable(name);
  return [...people.values()].find((person) => toComparable(person.name) === wanted) ?? null;
}

function mustFind({ people }: AccessState, id: string): PersonRecord {
  const person = people.get(id);
  if (person === undefined) throw noSuchPerson();
  return person;
}

export function noSuchPerson(): VenueFailure {
  return new VenueFailure({
    type: 'bad-parameter',
    detail: 'This person does not exist. Another administrator may have deleted them.',
    parameter: 'id',
  });
}

function toPerson(state: AccessState, given: GivenPerson, now: number): PersonRecord {
  const name = given.name.normalize('NFC').trim();
  const errors = [...findNameErrors(name), ...findScopeErrors(given.scope)];
  const namesake = findByName(state, name);
  if (namesake !== null && namesake.id !== given.id)
    errors.push({ path: '$.name', detail: 'must not be the name of another person' });
  if (given.roles.some((role) => !ROLES.some((one) => one === role)))
    errors.push({ path: '$.roles', detail: `must be some of ${ROLES.join(', ')}` });
  if (given.id === '' && state.people.size >= MOST_PEOPLE)
    errors.push({
      path: '$',
      detail: `must not add a person: there are ${String(MOST_PEOPLE)} people, which is the maximum`,
    });
  if (errors.length > 0)
    throw new VenueFailure({
      type: 'bad-body',
      detail:
        `The body has ${errors.length === 1 ? 'a mistake' : `${String(errors.length)} mistakes`}: ` +
        `the first is at ${errors[0]?.path ?? '$'}, which ${errors[0]?.detail ?? ''}.`,
      errors,
    });
  const before =
    given.id === '' ? { id: newId(), password: null, createdAt: now, lastSignedInAt: null } : mustFind(state, given.id);
  return { ...before, name, ...toEntitlement(given.roles, given.scope), disabled: given.disabled };
}

function findNameErrors(name: string): BodyError[] {
  if (name === '' || name.length > LONGEST_NAME)
    return [{ path: '$.name', detail: `must have 1 to ${String(LONGEST_NAME)} characters` }];
  return hasUnseen(name) ? [{ path: '$.name', detail: NO_UNSEEN }] : [];
}

function findScopeErrors(scope: AccountScope): BodyError[] {
  return SCOPE_LISTS.flatMap((list) => {
    const [codes, path] = [scope[list], `$.scope.${list}`];
    if (codes.length > MOST_CODES) return [{ path, detail: `must have at most ${String(MOST_CODES)} codes` }];
    return codes.some((code) => code === '' || code.length > LONGEST_CODE || hasUnseen(code))
      ? [{ path, detail: `must have codes of 1 to ${String(LONGEST_CODE)} characters, without control characters` }]
      : [];
  });
}

/** Another administrator may have changed the person in the meantime. */
function rejectChanged(current: PersonRecord, before: Changeable): void {
  const toComparableText = ({ name, roles, scope, disabled }: Changeable): string =>
    JSON.stringify([name, toEntitlement(roles, scope), disabled]);
  if (toComparableText(current) !== toComparableText(before))
    throw new VenueFailure({
      type: 'changed-meanwhile',
      detail: `"${current.name}" has been changed meanwhile, so nothing was saved.`,
    });
}

/** Changes are made one at a time, and an earlier one may have revoked the right to make this one. */
function rejectDemoted({ people }: AccessState, by: Administrator | undefined): void {
  if (by === undefined) return;
  const person = people.get(by.person);
  if (person === undefined || person.disabled || !person.roles.includes('admin'))
    throw new VenueFailure({
      type: 'not-allowed',
      detail: 'You are no longer an administrator, so nothing was changed.',
    });
}

/** Rejects removing the last administrator, without whom no rights could be granted. */
function rejectNoAdmin(after: AccessState, before: AccessState): void {
  const hasAdmin = ({ people }: AccessState): boolean =>
    [...people.values()].some(({ roles, disabled }) => !disabled && roles.includes('admin'));
  if (hasAdmin(before) && !hasAdmin(after))
    throw new VenueFailure({
      type: 'not-allowed',
      detail: 'This is the only administrator. Give another person the role admin first.',
    });
}

/** Returns the steps that delete what a person saved and shared. */
export function toForgetSteps(mode: AccessMode, person: string): readonly Step[] {
  return [savedItems, sharedViews].map(({ name }) => ({
    name: `forget ${name}`,
    sql: `DELETE FROM ${name} WHERE owner = $1`,
    values: [toSavedOwner(mode, person)],
  }));
}

/** Describes a person in a sentence that begins with what was done. */
export function describePerson({ name, disabled, ...granted }: PersonRecord, done: string): string {
  return `${done} "${name}": ${describeGranted(granted)}${disabled ? '; disabled' : ''}.`;
}

/** Returns roles and scope as part of a sentence. */
export function describeGranted({ roles, scope }: Entitlement): string {
  const orders = scope.all
    ? 'all orders'
    : SCOPE_LISTS.flatMap((list) =>
        scope[list].length === 0 ? [] : [`orders of ${list} ${scope[list].join(', ')}`],
      ).join(', ') || 'no orders';
  return `${roles.length === 0 ? 'no role' : `roles ${roles.join(', ')}`}; ${orders}`;
}

export function describeRevoked({ kind, name, of }: Revoked): string {
  return kind === 'tokens'
    ? `Revoked the API token "${name}" of "${of}".`
    : `Removed the passkey "${name}" of "${of}".`;
}
