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
import type { OidcSettings, ProviderSettings } from '../core/provider-settings.ts';
import type { GatewayPorts, Log } from '../core/ports.ts';
import { toPrintable } from '../core/printable.ts';
import { createSealedTexts, type SealedTexts } from '../core/sealed-texts.ts';
import { type Redirect, SignInFailure } from '../core/sign-in-failure.ts';
import { type Attempts, createAttempts, forgetAttempt } from './accounts/attempts.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { type Groups, openGroups } from './accounts/groups.ts';
import type { AddressOf, OriginOf, Requesting } from './accounts/requesting.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { Identity, Viewers } from './accounts/viewers.ts';
import { classifyFailure } from './oidc/classify-failure.ts';
import { createProvider, type Provider, reasonOf } from './oidc/provider.ts';
import { type Claims, readClaims } from './oidc/read-claims.ts';
import type { Identify, Viewer } from '../core/viewer.ts';
import type { AccessBook } from './accounts/access-book.ts';
import type { Entitlement } from './accounts/entitlement.ts';
import { type BackChannelLogout, createBackChannelLogout } from './oidc/back-channel.ts';
import { createSessionRefresh, type SessionRefresh } from './oidc/refresh-sessions.ts';
import { createProxyIdentify } from './proxy/identify-proxy.ts';
import { createProvidedViewers } from './proxy/provided-viewers.ts';
import { createHeaderReader, createTokenReader, type ReadVouched } from './proxy/read-vouched.ts';
import { openTokenKeys } from './proxy/token-keys.ts';
import type { ProvidedPeople } from './accounts/provided-people.ts';

export interface OidcParts {
  readonly settings: OidcSettings;
  readonly provider: Provider;
  readonly groups: Groups;
  readonly attempts: Attempts<OidcAttempt>;
  readonly sessions: Sessions;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  /** Where people open the desk: what the provider knows as their way back. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
  readonly refreshTokens: SealedTexts;
  readonly now: () => number;
  readonly log: Log;
}

/** A sign-in that the provider has not answered yet. */
export interface OidcAttempt {
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** Path of the page that the person wanted. */
  readonly to: string;
}

export interface OidcSignIn {
  readonly begin: (context: Requesting, rawQuery: string) => Promise<Redirect>;
  /** The provider has sent the browser back. */
  readonly finish: (context: Requesting, rawQuery: string) => Promise<Redirect>;
  /** Ends the session at the provider, after that at the desk was ended. */
  readonly signOut: (context: Requesting) => Promise<Redirect>;
}

const PURPOSE = 'sign in at the provider';
/** Browsers keep no cookie of more than 4,096 characters. */
const LONGEST_TO = 2_000;
/** The provider decides again about groups and people at least this often. */
const LONGEST_SESSION_MS = 12 * 3_600_000;

export function createOidcSignIn(parts: OidcParts): OidcSignIn {
  const { settings, provider, attempts, homeOf } = parts;
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
      const redirect = await attempts.finish(context.request, state, PURPOSE, async (attempt) => {
        const signedIn = await fetchClaims(parts, context, attempt, state, rawQuery);
        return {
          location: attempt.to,
          cookies: [await openSession(parts, context, attempt, state, signedIn), forgetAttempt(state)],
        };
      });
      // Whose attempt it is not must not learn where it was to end.
      if (redirect === null) throw new SignInFailure('not-begun-here');
      return redirect;
    },
    signOut: async ({ request }) => {
      const configuration = await mustBeThere(provider, 'signed-out-here-only');
      const home = `${homeOf(request)}/`;
      const canEnd = configuration.serverMetadata().end_session_endpoint !== undefined;
      return {
        location: canEnd ? buildEndSessionUrl(configuration, { post_logout_redirect_uri: home }).href : home,
        cookies: [],
      };
    },
  };
}

async function mustBeThere(provider: Provider, code: SignInFailureCode, to?: string): Promise<Configuration> {
  try {
    return await provider.configuration();
  } catch (error) {
    throw new SignInFailure(code, { cause: error, ...(to !== undefined && { to }) });
  }
}

/** A page of this desk, whatever a link says. */
function toOwnPath(to: string | null): string {
  const base = 'https://desk.invalid';
  const url = to?.startsWith('/') === true ? URL.parse(to, base) : null;
  // `/.//host` is a path here, and another host once its dot is gone.
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length <= LONGEST_TO ? path : url.pathname.slice(0, LONGEST_TO);
}

async function fetchClaims(
  { settings, provider, audit, addressOf, log }: OidcParts,
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
    return { claims: await readClaims(configuration, settings, tokens), refreshToken: tokens.refresh_token ?? null };
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
}

/** In place of the session that the browser had. */
async function openSession(
  { groups, sessions, viewers, audit, addressOf, settings, refreshTokens, now }: OidcParts,
  { request, viewer }: Requesting,
  { to }: OidcAttempt,
  state: string,
  { claims, refreshToken }: SignedIn,
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

interface ProviderParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly key: string;
  readonly book: AccessBook;
  readonly holdsLease: () => boolean;
  readonly sessions: Sessions;
  readonly people: Pick<ProvidedPeople, 'find' | 'note'>;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  /** Where people open the desk. */
  readonly homeOf: OriginOf;
  readonly addressOf: AddressOf;
}

/** What an OpenID provider and those whom it sends here need. */
export interface OidcRoom extends OidcSignIn {
  readonly logout: BackChannelLogout;
  readonly refreshes: SessionRefresh['counts'];
}

/** Who says who people are, in place of the desk. */
export interface ProviderRoom {
  /** Null: sessions and tokens do. */
  readonly identify: Identify | null;
  readonly identityOf: (viewer: Viewer) => Identity | null;
  readonly sweep: () => void;
  readonly oidc: OidcRoom | null;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export function openProvider({ source, groupsFile }: ProviderSettings, parts: ProviderParts): ProviderRoom {
  return source.kind === 'oidc' ? openOidc(source, groupsFile, parts) : openProxy(source, groupsFile, parts);
}

type Source<Kind> = Extract<ProviderSettings['source'], { readonly kind: Kind }>;

function openOidc(settings: Source<'oidc'>, groupsFile: string, parts: ProviderParts): ProviderRoom {
  // Sessions keep what they were granted, which is decided again at each refresh.
  const groups = openGroups(groupsFile, parts, () => undefined);
  const shared = {
    ...parts,
    settings,
    groups,
    provider: createProvider(settings, parts),
    refreshTokens: createSealedTexts(parts.key, 'refresh token'),
  };
  const refresh = createSessionRefresh(shared);
  return {
    identify: null,
    identityOf: () => null,
    sweep: () => undefined,
    oidc: {
      ...createOidcSignIn({ ...shared, attempts: createAttempts<OidcAttempt>(parts.key, parts.now) }),
      logout: createBackChannelLogout(shared),
      refreshes: refresh.counts,
    },
    start: refresh.start,
    close: async () => {
      groups.close();
      await refresh.close();
    },
  };
}

function openProxy(settings: Source<'headers' | 'tokens'>, groupsFile: string, parts: ProviderParts): ProviderRoom {
  const { key, book, people, audit, now } = parts;
  const groups = openGroups(groupsFile, parts, () => {
    viewers.sweep();
  });
  const viewers = createProvidedViewers({
    key,
    entitlementOf: groups.entitlementOf,
    onSeen: ({ id, name }, granted, address, isFirst) => {
      if (isFirst) audit.gather({ kind: 'sign-in', who: id, name, address, detail: 'Signed in at the proxy.' });
      // A store that cannot be written has been reported as such.
      if (isFirst || !isGranted(people.find(id), granted))
        void people.note({ person: id, name, granted }, isFirst).catch(() => undefined);
    },
    isRecorded: (id) => people.find(id) !== undefined,
    now,
  });
  book.onChange(viewers.sweep);
  const { read, close } = openReader(settings, parts, viewers.endAll);
  return {
    identify: createProxyIdentify({ ...parts, read, viewers }),
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
  parts: ProviderParts,
  endAll: () => void,
): { readonly read: ReadVouched; readonly close: () => void } {
  if (settings.kind === 'headers') return { read: createHeaderReader(settings), close: () => undefined };
  const keys = openTokenKeys(settings.keys, parts);
  // Streams that an earlier key opened are opened anew, if the token still holds.
  keys.onChange(endAll);
  return { read: createTokenReader(settings, keys, parts.now), close: keys.close };
}
