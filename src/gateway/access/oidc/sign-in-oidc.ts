import type { IncomingMessage } from 'node:http';
import { AuthorizationResponseError, authorizationCodeGrant, buildAuthorizationUrl, buildEndSessionUrl, calculatePKCECodeChallenge, fetchUserInfo, randomNonce, randomPKCECodeVerifier, type Configuration } from 'openid-client';
import { OIDC_PATHS } from '#contract/desk-access.ts';
import type { OidcSettings } from '../../provider-settings.ts';
import type { Log } from '../../ports.ts';
import { toPrintable } from '../../printable.ts';
import { SignInFailure, type Redirect } from '../../sign-in-failure.ts';
import { ATTEMPT_MS, type Attempts } from '../attempts.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Groups } from '../groups.ts';
import { cookiesOf } from '../identify.ts';
import type { AddressOf, OriginOf, Requesting } from '../requesting.ts';
import { hashOf, isSameSecret, newSecret } from '../secrets.ts';
import type { Sessions } from '../sessions.ts';
import type { Viewers } from '../viewers.ts';
import { reasonOf, type Provider } from './provider.ts';

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
      const configuration = await provider.configuration();
      const [verifier, nonce, secret] = [randomPKCECodeVerifier(), randomNonce(), newSecret()];
      const redirectUri = homeOf(request) + OIDC_PATHS.callback;
      const state = attempts.begin({ verifier, nonce, redirectUri, browserHash: hashOf(secret), to: toOwnPath(new URLSearchParams(rawQuery).get('to')) });
      const parameters = { redirect_uri: redirectUri, scope: settings.scope, code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', state, nonce };
      return { location: buildAuthorizationUrl(configuration, parameters).href, cookies: [attemptCookie(secret, ATTEMPT_MS / 1_000)] };
    },
    finish: async (context, rawQuery) => {
      const state = new URLSearchParams(rawQuery).get('state') ?? '';
      const attempt = attempts.finish(state);
      if (attempt === null || !isOfThisBrowser(context.request, attempt)) throw new SignInFailure(400, 'This sign-in was finished before, took longer than five minutes, or was begun in another browser or tab. Sign in again.');
      const claims = await fetchClaims(parts, attempt, state, rawQuery);
      const cookie = await openSession(parts, context, claims);
      return { location: attempt.to, cookies: [cookie, attemptCookie('', 0)] };
    },
    signOut: async ({ request }) => {
      const configuration = await provider.configuration();
      const home = `${homeOf(request)}/`;
      const canEnd = configuration.serverMetadata().end_session_endpoint !== undefined;
      return { location: canEnd ? buildEndSessionUrl(configuration, { post_logout_redirect_uri: home }).href : home, cookies: [] };
    },
  };
}

function attemptCookie(secret: string, seconds: number): string {
  return `${ATTEMPT_COOKIE}=${secret}; Path=/; Max-Age=${String(seconds)}; HttpOnly; Secure; SameSite=Lax`;
}

function isOfThisBrowser(request: IncomingMessage, { browserHash }: OidcAttempt): boolean {
  const [secret, ...others] = cookiesOf(request, ATTEMPT_COOKIE);
  return secret !== undefined && others.length === 0 && isSameSecret(hashOf(secret), browserHash);
}

/** A page of this desk, whatever a link says. */
function toOwnPath(to: string | null): string {
  const base = 'https://desk.invalid';
  const url = to?.startsWith('/') === true ? URL.parse(to, base) : null;
  return url?.origin === base ? url.pathname + url.search + url.hash : '/';
}

interface Claims {
  readonly sub: string;
  readonly name: string;
  readonly groups: readonly string[];
}

async function fetchClaims({ settings, provider, log }: OidcParts, attempt: OidcAttempt, state: string, rawQuery: string): Promise<Claims> {
  const configuration = await provider.configuration();
  try {
    const tokens = await authorizationCodeGrant(configuration, new URL(`${attempt.redirectUri}?${rawQuery}`), { pkceCodeVerifier: attempt.verifier, expectedState: state, expectedNonce: attempt.nonce, idTokenExpected: true });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The response has no ID token.');
    const all = claims[settings.groupsClaim] === undefined ? { ...(await fetchMore(configuration, tokens.access_token, claims.sub)), ...claims } : claims;
    return { sub: claims.sub, name: nameOf(all, claims.sub), groups: toGroups(all[settings.groupsClaim]) };
  } catch (error) {
    log('warn', 'sign-in failed', { reason: toPrintable(reasonOf(error)) });
    if (error instanceof AuthorizationResponseError) throw new SignInFailure(403, `${new URL(settings.issuer).host} did not sign you in: ${toPrintable(error.error_description ?? error.error)}.`, error);
    throw new SignInFailure(502, `What ${new URL(settings.issuer).host} sent cannot be trusted or understood, so you are not signed in. Sign in again. If it stays like this, an administrator finds the reason in Perpdesk’s log.`, error);
  }
}

/** Some providers list groups only there. */
async function fetchMore(configuration: Configuration, accessToken: string, sub: string): Promise<Readonly<Record<string, unknown>>> {
  return configuration.serverMetadata().userinfo_endpoint === undefined ? {} : fetchUserInfo(configuration, accessToken, sub);
}

const LONGEST_NAME = 100;

function nameOf(claims: Readonly<Record<string, unknown>>, sub: string): string {
  const name = [claims['preferred_username'], claims['name'], claims['email']].find((one) => typeof one === 'string' && one !== '');
  return toPrintable(typeof name === 'string' ? name : sub).slice(0, LONGEST_NAME);
}

function toGroups(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : [];
}

/** In place of the session that the browser had. */
async function openSession({ groups, sessions, viewers, audit, addressOf, settings }: OidcParts, { request, viewer }: Requesting, { sub, name, groups: names }: Claims): Promise<string> {
  const granted = groups.entitlementOf(names);
  const address = addressOf(request);
  if (granted.roles.length === 0) {
    audit.gather({ kind: 'sign-in refused', who: sub, name, address, detail: 'None of their groups has a role.' });
    throw new SignInFailure(403, `${new URL(settings.issuer).host} knows you as ${name}, but none of your groups has a role in this Perpdesk. An administrator can give it one.`);
  }
  const before = viewers.identityOf(viewer)?.session;
  const cookie = await sessions.open({ personId: sub, name, granted, way: 'oidc', request, longestMs: LONGEST_SESSION_MS });
  if (before) await sessions.end(({ id }) => id === before.id);
  await audit.record({ kind: 'sign-in', who: sub, name, address, detail: `Signed in at ${new URL(settings.issuer).host}.` });
  return cookie;
}
