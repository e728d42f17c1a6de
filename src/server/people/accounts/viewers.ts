import type { IncomingMessage } from 'node:http';
import { FORGERY_HEADER } from '#contract/desk/access.ts';
import { type AccessMode, withIncluded } from '#contract/desk/roles.ts';
import { type Identify, isRead, type Viewer } from '#server/core/viewer.ts';
import { ANYBODY, toPayer } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { type Entitlement, intersect, NO_ACCOUNTS, toEntitlement, toViewing } from './entitlement.ts';
import { forgeryTokenOf, hashOf, isSameSecret } from './secrets.ts';
import type { AccessRegistry, AccessState } from './access-registry.ts';
import { type PersonRecord, type SignInSessionRecord, type SignInWay, type TokenRecord, WAYS } from './records.ts';

/** With this prefix, browsers refuse a cookie of this name from another host or an unprotected connection. */
export const SESSION_COOKIE = '__Host-perpdesk';

const NEITHER: Problem = {
  type: 'not-allowed',
  detail: 'The request has both a session and an API token. Send only one of them.',
};
const TWICE: Problem = {
  type: 'not-signed-in',
  detail: 'The request has several session cookies. Delete the cookies of this site and sign in again.',
};
const NO_TOKEN: Problem = {
  type: 'not-signed-in',
  detail: 'This API token does not exist, has expired or was revoked. Create a new one on the Account screen.',
};
const NOT_BEARER: Problem = {
  type: 'not-signed-in',
  detail: 'The Authorization header is not valid. Send "Bearer" and an API token of this Perpdesk.',
};
const FORGED: Problem = {
  type: 'cross-site',
  detail:
    `The request has no valid CSRF token in "${FORGERY_HEADER}", so nothing was changed. Reload ` +
    'the page and try again.',
};
const NO_ORIGIN: Problem = {
  type: 'cross-site',
  detail:
    'The request does not say which page sends it, so nothing was changed. Send Sec-Fetch-Site or Origin ' +
    'with each action of a session.',
};

/**
 * Identifies the sender of a request by session cookie or API token. `catchUp` resolves once it is known what other
 * desks have changed; it is null if there are none.
 */
export function createIdentify(
  viewers: Pick<Viewers, 'ofSession' | 'ofToken'>,
  catchUp: (() => Promise<void>) | null,
): Identify {
  const identify = (request: IncomingMessage): Viewer | Problem => {
    const { authorization } = request.headers;
    const cookies = cookiesOf(request, SESSION_COOKIE);
    const [secret] = cookies;
    if (authorization !== undefined) return secret === undefined ? identifyToken(viewers, authorization) : NEITHER;
    if (secret === undefined) return NOBODY;
    if (cookies.length > 1) return TWICE;
    const hash = hashOf(secret);
    const viewer = viewers.ofSession(hash);
    if (viewer === null) return NOBODY;
    return findForgery(request, forgeryTokenOf(hash)) ?? viewer;
  };
  return async (request) => {
    const viewer = identify(request);
    const isUnknown = viewer === NO_TOKEN || (viewer === NOBODY && cookiesOf(request, SESSION_COOKIE).length > 0);
    if (!isUnknown || catchUp === null) return viewer;
    // They may have signed in at another desk a moment ago.
    await catchUp();
    return identify(request);
  };
}

function identifyToken(viewers: Pick<Viewers, 'ofToken'>, authorization: string): Viewer | Problem {
  const token = /^Bearer ([\w~+/.-]{1,256}=*)$/i.exec(authorization)?.[1];
  if (token === undefined) return NOT_BEARER;
  return viewers.ofToken(hashOf(token)) ?? NO_TOKEN;
}

/**
 * Returns why a page of another site may have sent a request with this session. The origin has been compared before.
 */
export function findForgery(request: IncomingMessage, expected: string | null): Problem | null {
  if (isRead(request)) return null;
  const { headers } = request;
  if (headers['sec-fetch-site'] !== 'same-origin' && headers.origin === undefined) return NO_ORIGIN;
  const token = headers[FORGERY_HEADER];
  return typeof token === 'string' && expected !== null && isSameSecret(token, expected) ? null : FORGED;
}

/** Returns all values of a cookie, which may have been sent several times. */
export function cookiesOf(request: IncomingMessage, name: string): readonly string[] {
  return cookiesThatBegin(request, name).flatMap(([found, value]) => (found === name ? [value] : []));
}

/** Returns names and values of all cookies whose names have a prefix. */
export function cookiesThatBegin(
  { headers: { cookie = '' } }: IncomingMessage,
  start: string,
): readonly (readonly [name: string, value: string])[] {
  if (!cookie.includes(start)) return [];
  return cookie.split(';').flatMap((part) => {
    const pair = part.trim();
    const end = pair.indexOf('=');
    return pair.startsWith(start) && end >= start.length ? [[pair.slice(0, end), pair.slice(end + 1)] as const] : [];
  });
}

const METRICS_PATH = '/metrics';

/** Allows a program with this token to read the metrics and nothing else, in every access mode. */
export interface MetricsToken {
  readonly wrap: (identify: Identify) => Identify;
  /** Null for no token. */
  readonly change: (token: string | null) => void;
}

/** The viewer needs no further role, since it exists on this path only. */
const METRICS_VIEWER: Viewer = {
  id: 'metrics',
  name: 'metrics',
  person: '',
  payer: ANYBODY,
  ...toViewing(toEntitlement([], NO_ACCOUNTS)),
  roles: withIncluded(['admin']),
  ended: new AbortController().signal,
};

export function createMetricsToken(first: string | null): MetricsToken {
  let token = first;
  const isRight = ({ url = '', headers: { authorization, cookie } }: IncomingMessage): boolean => {
    if (token === null || authorization === undefined || cookie !== undefined || url.split('?', 1)[0] !== METRICS_PATH)
      return false;
    const given = /^Bearer (.+)$/i.exec(authorization)?.[1];
    return given !== undefined && isSameSecret(given, token);
  };
  return {
    wrap: (identify) => (request) => (isRight(request) ? Promise.resolve(METRICS_VIEWER) : identify(request)),
    change: (next) => {
      token = next;
    },
  };
}

/** The viewer of a request without a sign-in. */
export const NOBODY: Viewer = {
  id: '',
  name: '',
  person: '',
  payer: ANYBODY,
  ...toViewing(toEntitlement([], NO_ACCOUNTS)),
  ended: new AbortController().signal,
};

/** The identity of a viewer, besides what they may see. */
export interface Identity extends Entitlement {
  readonly personId: string;
  readonly name: string;
  readonly way: SignInWay;
  /** The session of the request; null if a token or proxy identifies it. */
  readonly session: SignInSessionRecord | null;
  /** To be sent with each action; null if none is needed. */
  readonly forgeryToken: string | null;
}

export interface Viewers {
  /** Returns the viewer of a valid session or token by the hash of its secret. */
  readonly ofSession: (hash: string) => Viewer | null;
  readonly ofToken: (hash: string) => Viewer | null;
  /** Null for a viewer who is not signed in. */
  readonly identityOf: (viewer: Viewer) => Identity | null;
  /** Ends viewers whose rights have changed or expired. */
  readonly sweep: () => void;
}

interface Live {
  readonly viewer: Viewer;
  readonly end: () => void;
  /** What must not change during the viewer's life. */
  readonly fingerprint: string;
}

interface ViewerDeps {
  readonly mode: AccessMode;
  readonly book: Pick<AccessRegistry, 'state' | 'note' | 'onChange'>;
  readonly idleMs: number;
  readonly now: () => number;
}

/** The precision with which the last use is stored. */
const USE_MS = 60_000;

export function createViewers({ mode, book, idleMs, now }: ViewerDeps): Viewers {
  let byHash = indexByHash(book.state());
  const live = new Map<string, Live>();
  const identities = new WeakMap<Viewer, Identity>();
  const usedAt = new Map<string, number>();

  const isOver = (session: SignInSessionRecord): boolean =>
    now() >= session.endsAt || now() - Math.max(session.lastUsedAt, usedAt.get(session.id) ?? 0) >= idleMs;
  const find = (hash: string): Found | null => {
    const record = byHash.get(hash);
    if (record === undefined) return null;
    if ('endsAt' in record)
      return isOver(record) || !WAYS[mode].includes(record.way) ? null : toSessionHolder(record, book.state());
    // Without the person present, it is unknown whether a provider still accepts them.
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
  const noteUse = (record: SignInSessionRecord | TokenRecord): void => {
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
  readonly record: SignInSessionRecord | TokenRecord;
  readonly identity: Identity;
}

function indexByHash({ sessions, tokens }: AccessState): ReadonlyMap<string, SignInSessionRecord | TokenRecord> {
  return new Map([...sessions.values(), ...tokens.values()].map((record) => [record.hash, record]));
}

function fingerprintOf({ identity: { name, roles, scope } }: Found): string {
  return JSON.stringify([name, roles, scope]);
}

function toSessionHolder(session: SignInSessionRecord, { people }: AccessState): Found | null {
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
