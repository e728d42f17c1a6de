import type { IncomingMessage } from 'node:http';
import { authorizationCodeGrant, buildAuthorizationUrl, buildEndSessionUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, type Configuration } from 'openid-client';
import { OIDC_PATHS } from '#contract/desk-access.ts';
import { SIGN_IN_FAILURES, type SignInFailureCode } from '#contract/desk-oidc.ts';
import type { OidcSettings } from '../../provider-settings.ts';
import type { Log } from '../../ports.ts';
import { toPrintable } from '../../printable.ts';
import type { SealedTexts } from '../../sealed-texts.ts';
import { SignInFailure, type Redirect } from '../../sign-in-failure.ts';
import { ATTEMPT_MS, type Attempts } from '../attempts.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Groups } from '../groups.ts';
import { cookiesOf } from '../identify.ts';
import type { AddressOf, OriginOf, Requesting } from '../requesting.ts';
import { hashOf, isSameSecret, newSecret } from '../secrets.ts';
import type { Sessions } from '../sessions.ts';
import type { Viewers } from '../viewers.ts';
import { classifyFailure } from './classify-failure.ts';
import { reasonOf, type Provider } from './provider.ts';
import { readClaims, type Claims } from './read-claims.ts';

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
  /** Of the secret that the browser keeps, so that no other browser can finish it. */
  readonly browserHash: string;
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

const ATTEMPT_COOKIE = '__Host-perpdesk-sign-in';
/** The provider decides again about groups and people at least this often. */
const LONGEST_SESSION_MS = 12 * 3_600_000;

export function createOidcSignIn(parts: OidcParts): OidcSignIn {
  const { settings, provider, attempts, homeOf } = parts;
  return {
    begin: async ({ request }, rawQuery) => {
      const query = new URLSearchParams(rawQuery);
      const to = toOwnPath(query.get('to'));
      const configuration = await mustBeThere(provider, 'provider-away', to);
      const [verifier, nonce, secret] = [randomPKCECodeVerifier(), randomNonce(), newSecret()];
      const redirectUri = homeOf(request) + OIDC_PATHS.callback;
      const state = attempts.begin({ verifier, nonce, redirectUri, browserHash: hashOf(secret), to });
      const parameters = { redirect_uri: redirectUri, scope: settings.scope, code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', state, nonce, ...(query.get('prompt') === 'login' && { prompt: 'login' }) };
      return { location: buildAuthorizationUrl(configuration, parameters).href, cookies: [attemptCookie(secret, ATTEMPT_MS / 1_000)] };
    },
    finish: async (context, rawQuery) => {
      const state = new URLSearchParams(rawQuery).get('state') ?? '';
      const attempt = attempts.finish(state);
      // Whose attempt it is not must not learn where it was to end.
      if (attempt === null || !isOfThisBrowser(context.request, attempt)) throw new SignInFailure('not-begun-here');
      const signedIn = await fetchClaims(parts, context, attempt, state, rawQuery);
      const cookie = await openSession(parts, context, attempt, signedIn);
      return { location: attempt.to, cookies: [cookie, FORGET_ATTEMPT] };
    },
    signOut: async ({ request }) => {
      const configuration = await mustBeThere(provider, 'signed-out-here-only');
      const home = `${homeOf(request)}/`;
      const canEnd = configuration.serverMetadata().end_session_endpoint !== undefined;
      return { location: canEnd ? buildEndSessionUrl(configuration, { post_logout_redirect_uri: home }).href : home, cookies: [] };
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

function attemptCookie(secret: string, seconds: number): string {
  return `${ATTEMPT_COOKIE}=${secret}; Path=/; Max-Age=${String(seconds)}; HttpOnly; Secure; SameSite=Lax`;
}

const FORGET_ATTEMPT = attemptCookie('', 0);

function isOfThisBrowser(request: IncomingMessage, { browserHash }: OidcAttempt): boolean {
  const [secret, ...others] = cookiesOf(request, ATTEMPT_COOKIE);
  return secret !== undefined && others.length === 0 && isSameSecret(hashOf(secret), browserHash);
}

/** A page of this desk, whatever a link says. */
function toOwnPath(to: string | null): string {
  const base = 'https://desk.invalid';
  const url = to?.startsWith('/') === true ? URL.parse(to, base) : null;
  // `/.//host` is a path here, and another host once its dot is gone.
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/';
}

async function fetchClaims({ settings, provider, audit, addressOf, log }: OidcParts, { request }: Requesting, attempt: OidcAttempt, state: string, rawQuery: string): Promise<SignedIn> {
  try {
    const configuration = await provider.configuration();
    const tokens = await authorizationCodeGrant(configuration, new URL(`${attempt.redirectUri}?${rawQuery}`), { pkceCodeVerifier: attempt.verifier, expectedState: state, expectedNonce: attempt.nonce, idTokenExpected: true });
    return { claims: await readClaims(configuration, settings, tokens), refreshToken: tokens.refresh_token ?? null };
  } catch (error) {
    const code = classifyFailure(error);
    log('warn', 'sign-in failed', { code, reason: toPrintable(reasonOf(error)) });
    audit.gather({ kind: 'sign-in refused', who: '', name: '', address: addressOf(request), detail: SIGN_IN_FAILURES[code] });
    throw new SignInFailure(code, { to: attempt.to, cookies: [FORGET_ATTEMPT], cause: error });
  }
}

interface SignedIn {
  readonly claims: Claims;
  readonly refreshToken: string | null;
}

/** In place of the session that the browser had. */
async function openSession({ groups, sessions, viewers, audit, addressOf, settings, refreshTokens, now }: OidcParts, { request, viewer }: Requesting, { to }: OidcAttempt, { claims, refreshToken }: SignedIn): Promise<string> {
  const { sub, name, groups: names, sid } = claims;
  const granted = groups.entitlementOf(names);
  const address = addressOf(request);
  if (granted.roles.length === 0) {
    audit.gather({ kind: 'sign-in refused', who: sub, name, address, detail: 'None of their groups has a role.' });
    throw new SignInFailure('no-role', { to, cookies: [FORGET_ATTEMPT] });
  }
  const before = viewers.identityOf(viewer)?.session;
  const provider = { sid, refreshToken: settings.refreshSeconds > 0 && refreshToken !== null ? refreshTokens.seal(refreshToken, sub) : null, confirmedAt: now() };
  const cookie = await sessions.open({ personId: sub, name, granted, provider, way: 'oidc', request, longestMs: LONGEST_SESSION_MS });
  if (before) await sessions.end(({ id }) => id === before.id);
  await audit.record({ kind: 'sign-in', who: sub, name, address, detail: `Signed in at ${new URL(settings.issuer).host}.` });
  return cookie;
}
