import type { AccessMode } from '#contract/desk/roles.ts';
import { ANYBODY, toPayer } from '#server/core/ports.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { AccessBook, AccessState } from './access-book.ts';
import { intersect, toEntitlement, toViewing, NO_ACCOUNTS, type Entitlement } from './entitlement.ts';
import { WAYS, type PersonRecord, type SessionRecord, type SignInWay, type TokenRecord } from './records.ts';
import { forgeryTokenOf } from './secrets.ts';

/** Nobody is signed in. */
export const NOBODY: Viewer = {
  id: '',
  name: '',
  person: '',
  payer: ANYBODY,
  ...toViewing(toEntitlement([], NO_ACCOUNTS)),
  ended: new AbortController().signal,
};

/** Who somebody is, beside what they may see. */
export interface Identity extends Entitlement {
  readonly personId: string;
  readonly name: string;
  readonly way: SignInWay;
  /** Of the request: null where a token or a proxy identifies it. */
  readonly session: SessionRecord | null;
  /** To be sent with each action; null: none is needed. */
  readonly forgeryToken: string | null;
}

export interface Viewers {
  /** The viewer of a secret's hash: of a session or token that holds now. */
  readonly ofSession: (hash: string) => Viewer | null;
  readonly ofToken: (hash: string) => Viewer | null;
  /** Null for nobody. */
  readonly identityOf: (viewer: Viewer) => Identity | null;
  /** Ends the viewers that may no longer see what they could. */
  readonly sweep: () => void;
}

interface Live {
  readonly viewer: Viewer;
  readonly end: () => void;
  /** All that must not change while it lives. */
  readonly fingerprint: string;
}

interface ViewerParts {
  readonly mode: AccessMode;
  readonly book: Pick<AccessBook, 'state' | 'note' | 'onChange'>;
  readonly idleMs: number;
  readonly now: () => number;
}

/** How precisely it is stored when something was last used. */
const USE_MS = 60_000;

export function createViewers({ mode, book, idleMs, now }: ViewerParts): Viewers {
  let byHash = indexByHash(book.state());
  const live = new Map<string, Live>();
  const identities = new WeakMap<Viewer, Identity>();
  const usedAt = new Map<string, number>();

  const isOver = (session: SessionRecord): boolean =>
    now() >= session.endsAt || now() - Math.max(session.lastUsedAt, usedAt.get(session.id) ?? 0) >= idleMs;
  const find = (hash: string): Found | null => {
    const record = byHash.get(hash);
    if (record === undefined) return null;
    if ('endsAt' in record)
      return isOver(record) || !WAYS[mode].includes(record.way) ? null : toSessionHolder(record, book.state());
    // Whether a provider still knows a person is not known without them.
    return now() >= record.expiresAt || mode !== 'users' ? null : toTokenHolder(record, book.state());
  };
  const sweep = (): void => {
    for (const [hash, { end, fingerprint }] of live) {
      const found = find(hash);
      if (found !== null && fingerprintOf(found) === fingerprint) continue;
      live.delete(hash);
      end();
    }
  };
  const noteUse = (record: SessionRecord | TokenRecord): void => {
    const last = Math.max(record.lastUsedAt ?? 0, usedAt.get(record.id) ?? 0);
    if (now() - last < USE_MS) return;
    usedAt.set(record.id, now());
    void book.note('endsAt' in record ? 'sessions' : 'tokens', record.id, now());
  };
  const viewerOf = (hash: string, kind: 'session' | 'token'): Viewer | null => {
    const found = find(hash);
    if (found?.kind !== kind) return null;
    noteUse(found.record);
    const known = live.get(hash);
    if (known?.fingerprint === fingerprintOf(found)) return known.viewer;
    known?.end();
    const ending = new AbortController();
    const viewer: Viewer = {
      id: found.id,
      name: found.identity.name,
      person: found.identity.personId,
      payer: toPayer(found.identity.personId),
      ...toViewing(found.identity),
      ended: ending.signal,
    };
    identities.set(viewer, found.identity);
    live.set(hash, {
      viewer,
      fingerprint: fingerprintOf(found),
      end: () => {
        ending.abort();
      },
    });
    return viewer;
  };

  book.onChange(() => {
    byHash = indexByHash(book.state());
    for (const id of usedAt.keys())
      if (!book.state().sessions.has(id) && !book.state().tokens.has(id)) usedAt.delete(id);
    sweep();
  });
  return {
    ofSession: (hash) => viewerOf(hash, 'session'),
    ofToken: (hash) => viewerOf(hash, 'token'),
    identityOf: (viewer) => identities.get(viewer) ?? null,
    sweep,
  };
}

interface Found {
  readonly kind: 'session' | 'token';
  readonly id: string;
  readonly record: SessionRecord | TokenRecord;
  readonly identity: Identity;
}

function indexByHash({ sessions, tokens }: AccessState): ReadonlyMap<string, SessionRecord | TokenRecord> {
  return new Map([...sessions.values(), ...tokens.values()].map((record) => [record.hash, record]));
}

function fingerprintOf({ identity: { name, roles, scope } }: Found): string {
  return JSON.stringify([name, roles, scope]);
}

function toSessionHolder(session: SessionRecord, { people }: AccessState): Found | null {
  const { person: personId, way, granted } = session;
  const holder = granted === null ? findEnabled(people, personId) : { name: session.name, ...granted };
  if (holder === null) return null;
  const { name, roles, scope } = holder;
  return {
    kind: 'session',
    id: personId,
    record: session,
    identity: { personId, name, roles, scope, way, session, forgeryToken: forgeryTokenOf(session.hash) },
  };
}

/** A token never allows more than its person may do now. */
function toTokenHolder(token: TokenRecord, { people }: AccessState): Found | null {
  const person = findEnabled(people, token.person);
  if (person === null) return null;
  return {
    kind: 'token',
    id: token.id,
    record: token,
    identity: {
      personId: person.id,
      name: `${person.name}, ${token.name}`,
      ...intersect(token, person),
      way: 'token',
      session: null,
      forgeryToken: null,
    },
  };
}

function findEnabled(people: ReadonlyMap<string, PersonRecord>, id: string): PersonRecord | null {
  const person = people.get(id);
  return person === undefined || person.disabled ? null : person;
}
