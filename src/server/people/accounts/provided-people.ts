import type { AccessMode } from '#contract/desk/roles.ts';
import type { Read } from '#sql/driver.ts';
import { toSavedOwner, toSavedPerson } from '#server/core/viewer.ts';
import type { Store } from '#server/store/store.ts';
import type { AccessRegistry, AccessState } from './access-registry.ts';
import { NO_ACCOUNTS, type Entitlement } from './entitlement.ts';
import { noSuchPerson, type People, toForgetSteps } from './people.ts';
import type { PersonRecord, ProvidedRecord } from './records.ts';

/** People of a provider or proxy. Only those who have been here are known. */
export interface ProvidedPeople extends Pick<People, 'all' | 'remove'> {
  readonly find: (person: string) => ProvidedRecord | undefined;
  readonly note: (seen: Seen, isSignIn: boolean) => Promise<void>;
  /** Records people who are only known by their sessions or by what they saved. */
  readonly recordEarlier: (store: Pick<Store, 'read'>) => Promise<void>;
}

interface Seen {
  readonly person: string;
  readonly name: string;
  readonly granted: Entitlement;
}

export function createProvidedPeople(
  book: Pick<AccessRegistry, 'state' | 'change'>,
  mode: AccessMode,
  now: () => number,
): ProvidedPeople {
  const find = (person: string, { provided } = book.state()): ProvidedRecord | undefined =>
    provided.get(toSavedOwner(mode, person));
  return {
    find,
    all: () => [...book.state().provided.values()].filter((record) => record.mode === mode).map(toPerson),
    note: (seen, isSignIn) =>
      book.change((state) => [{ put: { provided: [toProvided(state, mode, seen, now(), isSignIn)] } }, undefined]),
    remove: (person) =>
      book.change((state) => {
        const record = find(person, state);
        if (record === undefined) throw noSuchPerson();
        const sessions = [...state.sessions.values()]
          .filter((session) => session.person === person && session.way === mode)
          .map(({ id }) => id);
        return [{ drop: { provided: [record.id], sessions }, also: toForgetSteps(mode, person) }, toPerson(record)];
      }),
    recordEarlier: async (store) => {
      const owners = await store.read(({ read }) => read(ALL_OWNERS));
      const ofSaved = owners.flatMap(([owner, at]) => toSeenOwner(mode, String(owner), Number(at)));
      const ofSessions = [...book.state().sessions.values()].flatMap(({ way, person, name, granted, createdAt }) =>
        way === mode && granted !== null ? [{ person, name, granted, at: createdAt }] : [],
      );
      const isNew = ({ person }: Seen): boolean => find(person) === undefined;
      const earlier = [
        ...new Map([...ofSaved, ...ofSessions].filter(isNew).map((seen) => [seen.person, seen])).values(),
      ];
      if (earlier.length > 0)
        await book.change((state) => [
          { put: { provided: earlier.map((seen) => toProvided(state, mode, seen, seen.at, false)) } },
          undefined,
        ]);
    },
  };
}

/** Returns the record of a person seen at a moment, based on the earlier record if there is one. */
export function toProvided(
  { provided }: AccessState,
  mode: AccessMode,
  { person, name, granted: { roles, scope } }: Seen,
  at: number,
  isSignIn: boolean,
): ProvidedRecord {
  const id = toSavedOwner(mode, person);
  const before = provided.get(id);
  return {
    id,
    mode,
    person,
    name,
    roles,
    scope,
    createdAt: before?.createdAt ?? at,
    lastSignedInAt: isSignIn ? at : (before?.lastSignedInAt ?? at),
  };
}

function toPerson({ person, name, roles, scope, createdAt, lastSignedInAt }: ProvidedRecord): PersonRecord {
  return { id: person, name, roles, scope, disabled: false, password: null, createdAt, lastSignedInAt };
}

const ALL_OWNERS: Read = {
  name: 'owners of what is saved',
  sql:
    'SELECT owner, MAX(at) FROM (SELECT owner, saved_at AS at FROM saved_item UNION ALL SELECT owner, ' +
    'shared_at AS at FROM shared_view) AS saved GROUP BY owner',
  values: [],
};

/** Their name and roles are unknown until they come back. */
function toSeenOwner(mode: AccessMode, owner: string, at: number): readonly (Seen & { readonly at: number })[] {
  const person = toSavedPerson(mode, owner);
  return person === null ? [] : [{ person, name: person, granted: { roles: [], scope: NO_ACCOUNTS }, at }];
}
