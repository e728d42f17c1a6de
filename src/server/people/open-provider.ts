import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { OIDC_PATHS } from '#contract/desk/access.ts';
import { SIGN_IN_FAILURES, type SignInFailureCode } from '#contract/desk/oidc.ts';
import type { OidcSettings, ProviderSettings } from '#server/core/provider-settings.ts';
import type { ServerPorts, Log } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import { createSealedTexts, type SealedTexts } from '#server/core/sealed-texts.ts';
import { type Redirect, SignInFailure } from '#server/core/sign-in-failure.ts';
import { type Attempts, createAttempts, forgetAttempt } from './accounts/attempts.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { type Groups, openGroups } from './accounts/groups.ts';
import type { AddressOf, OriginOf, Requesting } from './accounts/requesting.ts';
import type { SignInSessionRecord } from './accounts/records.ts';
import type { SignInSessions } from './accounts/sessions.ts';
import type { Identity, Viewers } from './accounts/viewers.ts';
import { type Claims, classifyFailure, createProvider, type Provider, readClaims, reasonOf } from './oidc/provider.ts';
import type { Store } from '#server/store/store.ts';
import type { Identify, Viewer } from '#server/core/viewer.ts';
import type { AccessRegistry } from './accounts/access-registry.ts';
import type { Entitlement } from './accounts/entitlement.ts';
import { type BackChannelLogout, createBackChannelLogout } from './oidc/back-channel.ts';
import { createSessionRefresh, type SessionRefresh } from './oidc/refresh-sessions.ts';
import {
  createHeaderReader,
  createProxyIdentify,
  createTokenReader,
  type ReadVouched,
} from './proxy/identify-proxy.ts';
import { createProvidedViewers } from './proxy/provided-viewers.ts';
import { openTokenKeys } from './proxy/token-keys.ts';
import type { ProvidedPeople } from './accounts/provided-people.ts';

export interface OidcDeps {
  readonly settings: OidcSettings;
  readonly provider: Provider;
  readonly groups: Groups;
  readonly attempts: Attempts<OidcAttempt>;
  readonly sessions: SignInSessions;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  /** Returns the origin at which people open Perpdesk, which the provider knows as the redirect address. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
  readonly refreshTokens: SealedTexts;
  readonly idTokens: SealedTexts;
  readonly now: () => number;
  readonly log: Log;
}

/** A sign-in that waits for the provider's response. */
export interface OidcAttempt {
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** Path of the page that the person requested. */
  readonly to: string;
}

export interface OidcSignIn {
  readonly begin: (context: Requesting, rawQuery: string) => Promise<Redirect>;
  /** Called when the provider has sent the browser back. */
  readonly finish: (context: Requesting, rawQuery: string) => Promise<Redirect>;
  /** Ends the session at the provider, after the one at Perpdesk. The provider may ask who is to be signed out. */
  readonly signOut: (context: Requesting) => Promise<Redirect>;
  /** Returns the address that ends a session at the provider too, without a question. */
  readonly leave: (context: Requesting, session: SignInSessionRecord) => Promise<string>;
}

const PURPOSE = 'sign in at the provider';
/** Browsers keep no cookie of more than 4,096 characters. */
const LONGEST_TO = 2_000;
/** The provider decides again about groups and people at least this often. */
const LONGEST_SESSION_MS = 12 * 3_600_000;
/** Servers refuse addresses of more than about 8,000 characters, and the ID token is part of one. */
const LONGEST_ID_TOKEN = 6_000;

export function createOidcSignIn(deps: OidcDeps): OidcSignIn {
  const { settings, provider, attempts, homeOf } = deps;
  return {
    begin: async ({ request }, rawQuery) => {
      const query = new URLSearchParams(rawQuery);
      const to = toOwnPath(query.get('to'));
      const configuration = await mustBeThere(provider, 'provider-away', to);
      const [verifier, nonce] = [randomPKCECodeVerifier(), randomNonce()];
      const redirectUri = homeOf(request) + OIDC_PATHS.callback;
      const { id: state, cookies } = attempts.begin(request, { verifier, nonce, redirectUri, to }, PURPOSE);
      const parameters = {
        redirect_uri: redirectUri,
        scope: settings.scope,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(query.get('prompt') === 'login' && { prompt: 'login' }),
      };
      return { location: buildAuthorizationUrl(configuration, parameters).href, cookies };
    },
    finish: async (context, rawQuery) => {
      const state = new URLSearchParams(rawQuery).get('state') ?? '';
      const finished = await attempts.finish(context.request, state, PURPOSE, async (attempt) => ({
        attempt,
        signedIn: await fetchClaims(deps, context, attempt, state, rawQuery),
      }));
      // Another browser must not learn where the attempt was to end.
      if (finished === null) throw new SignInFailure('not-begun-here');
      const { attempt, signedIn } = finished;
      return {
        location: attempt.to,
        cookies: [await openSession(deps, context, attempt, state, signedIn), forgetAttempt(state)],
      };
    },
    signOut: async (context) => ({ location: await findSignOut(deps, context, null), cookies: [] }),
    leave: (context, session) => {
      const { idToken = null } = session.provider ?? {};
      return (
        findSignOut(deps, context, idToken && deps.idTokens.open(idToken, session.person))
          // The browser learns there that the provider is away.
          .catch(() => OIDC_PATHS.signOut)
      );
    },
  };
}

/** Returns the address that ends the session at the provider; if it has none, Perpdesk's own. */
async function findSignOut(
  { provider, homeOf }: OidcDeps,
  { request }: Pick<Requesting, 'request'>,
  idToken: string | null,
): Promise<string> {
  const configuration = await mustBeThere(provider, 'signed-out-here-only');
  const home = `${homeOf(request)}/`;
  if (configuration.serverMetadata().end_session_endpoint === undefined) return home;
  const parameters = { post_logout_redirect_uri: home, ...(idToken !== null && { id_token_hint: idToken }) };
  return buildEndSessionUrl(configuration, parameters).href;
}

async function mustBeThere(provider: Provider, code: SignInFailureCode, to?: string): Promise<Configuration> {
  try {
    return await provider.configuration();
  } catch (error) {
    throw new SignInFailure(code, { cause: error, ...(to !== undefined && { to }) });
  }
}

/** Returns a path of Perpdesk itself for any link. */
function toOwnPath(to: string | null): string {
  const base = 'https://desk.invalid';
  const url = to?.startsWith('/') === true ? URL.parse(to, base) : null;
  // `/.//host` is a path here, but names another host once the dot is removed.
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length <= LONGEST_TO ? path : url.pathname.slice(0, LONGEST_TO);
}

async function fetchClaims(
  { settings, provider, audit, addressOf, log }: OidcDeps,
  { request }: Requesting,
  attempt: OidcAttempt,
  state: string,
  rawQuery: string,
): Promise<SignedIn> {
  try {
    const configuration = await provider.configuration();
    const tokens = await authorizationCodeGrant(configuration, new URL(`${attempt.redirectUri}?${rawQuery}`), {
      pkceCodeVerifier: attempt.verifier,
      expectedState: state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    return {
      claims: await readClaims(configuration, settings, tokens),
      refreshToken: tokens.refresh_token ?? null,
      idToken: tokens.id_token ?? null,
    };
  } catch (error) {
    const code = classifyFailure(error);
    log('warn', 'sign-in failed', { code, reason: toPrintable(reasonOf(error)) });
    audit.gather({
      kind: 'sign-in refused',
      who: '',
      name: '',
      address: addressOf(request),
      detail: SIGN_IN_FAILURES[code],
    });
    throw new SignInFailure(code, { to: attempt.to, cookies: [forgetAttempt(state)], cause: error });
  }
}

interface SignedIn {
  readonly claims: Claims;
  readonly refreshToken: string | null;
  readonly idToken: string | null;
}

/** Opens a session in place of the browser's previous one. */
async function openSession(
  { groups, sessions, viewers, audit, addressOf, settings, refreshTokens, idTokens, now }: OidcDeps,
  { request, viewer }: Requesting,
  { to }: OidcAttempt,
  state: string,
  { claims, refreshToken, idToken }: SignedIn,
): Promise<string> {
  const { sub, name, groups: names, sid } = claims;
  const granted = groups.entitlementOf(names);
  const address = addressOf(request);
  if (granted.roles.length === 0) {
    audit.gather({ kind: 'sign-in refused', who: sub, name, address, detail: 'None of their groups has a role.' });
    throw new SignInFailure('no-role', { to, cookies: [forgetAttempt(state)] });
  }
  const before = viewers.identityOf(viewer)?.session;
  const provider = {
    sid,
    refreshToken: settings.refreshSeconds > 0 && refreshToken !== null ? refreshTokens.seal(refreshToken, sub) : null,
    ...(idToken !== null && idToken.length <= LONGEST_ID_TOKEN && { idToken: idTokens.seal(idToken, sub) }),
    confirmedAt: now(),
  };
  const cookie = await sessions.open({
    personId: sub,
    name,
    granted,
    provider,
    way: 'oidc',
    request,
    longestMs: LONGEST_SESSION_MS,
  });
  if (before) await sessions.end(({ id }) => id === before.id);
  await audit.record({
    kind: 'sign-in',
    who: sub,
    name,
    address,
    detail: `Signed in at ${new URL(settings.issuer).host}.`,
  });
  return cookie;
}

interface ProviderDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly key: string;
  readonly earlierKeys?: () => readonly string[];
  readonly store: Pick<Store, 'read' | 'mustWrite'>;
  readonly book: AccessRegistry;
  readonly holdsLease: () => boolean;
  readonly sessions: SignInSessions;
  readonly people: Pick<ProvidedPeople, 'find' | 'note'>;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  /** Returns the origin at which people open Perpdesk. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
}

/** The sign-in at an OpenID provider, with logout and refreshes. */
export interface OidcRoom extends OidcSignIn {
  readonly logout: BackChannelLogout;
  readonly refreshes: SessionRefresh['counts'];
}

/** Identification by a provider or proxy instead of by Perpdesk. */
export interface ProviderRoom {
  /** Null if sessions and tokens identify people. */
  readonly identify: Identify | null;
  readonly identityOf: (viewer: Viewer) => Identity | null;
  readonly sweep: () => void;
  readonly oidc: OidcRoom | null;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export function openProvider({ source, groupsFile }: ProviderSettings, deps: ProviderDeps): ProviderRoom {
  return source.kind === 'oidc' ? openOidc(source, groupsFile, deps) : openProxy(source, groupsFile, deps);
}

type Source<Kind> = Extract<ProviderSettings['source'], { readonly kind: Kind }>;

function openOidc(settings: Source<'oidc'>, groupsFile: string, deps: ProviderDeps): ProviderRoom {
  // Sessions keep what they were granted until the next refresh decides again.
  const groups = openGroups(groupsFile, deps, () => undefined);
  const shared = {
    ...deps,
    settings,
    groups,
    provider: createProvider(settings, deps),
    refreshTokens: createSealedTexts(deps.key, 'refresh token', deps.earlierKeys),
    idTokens: createSealedTexts(deps.key, 'ID token', deps.earlierKeys),
  };
  const refresh = createSessionRefresh(shared);
  return {
    identify: null,
    identityOf: () => null,
    sweep: () => undefined,
    oidc: {
      ...createOidcSignIn({
        ...shared,
        attempts: createAttempts<OidcAttempt>(deps.key, deps.now, deps.store, deps.earlierKeys),
      }),
      logout: createBackChannelLogout(shared),
      refreshes: refresh.counts,
    },
    start: () => {
      refresh.start();
      // Says in the log what is wrong, before anyone tries to sign in.
      void shared.provider.configuration().catch(() => undefined);
    },
    close: async () => {
      groups.close();
      await refresh.close();
    },
  };
}

function openProxy(settings: Source<'headers' | 'tokens'>, groupsFile: string, deps: ProviderDeps): ProviderRoom {
  const { key, book, people, audit, now } = deps;
  const groups = openGroups(groupsFile, deps, () => {
    viewers.sweep();
  });
  const viewers = createProvidedViewers({
    key,
    entitlementOf: groups.entitlementOf,
    onSeen: ({ id, name }, granted, address, isFirst) => {
      if (isFirst) audit.gather({ kind: 'sign-in', who: id, name, address, detail: 'Signed in at the proxy.' });
      // The store has reported its own failure.
      if (isFirst || !isGranted(people.find(id), granted))
        void people.note({ person: id, name, granted }, isFirst).catch(() => undefined);
    },
    isRecorded: (id) => people.find(id) !== undefined,
    now,
  });
  book.onChange(viewers.sweep);
  const { read, close } = openReader(settings, deps, viewers.endAll);
  return {
    identify: createProxyIdentify({ ...deps, read, viewers }),
    identityOf: viewers.identityOf,
    sweep: viewers.sweep,
    oidc: null,
    start: () => undefined,
    close: () => {
      groups.close();
      close();
      return Promise.resolve();
    },
  };
}

function isGranted(known: Entitlement | undefined, { roles, scope }: Entitlement): boolean {
  return known !== undefined && JSON.stringify([known.roles, known.scope]) === JSON.stringify([roles, scope]);
}

function openReader(
  settings: Source<'headers' | 'tokens'>,
  deps: ProviderDeps,
  endAll: () => void,
): { readonly read: ReadVouched; readonly close: () => void } {
  if (settings.kind === 'headers') return { read: createHeaderReader(settings), close: () => undefined };
  const keys = openTokenKeys(settings.keys, deps);
  // Streams opened with an earlier key are reopened if the token is still valid.
  keys.onChange(endAll);
  return { read: createTokenReader(settings, keys, deps.now), close: keys.close };
}
