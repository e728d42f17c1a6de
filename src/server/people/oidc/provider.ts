import {
  allowInsecureRequests,
  AuthorizationResponseError,
  ClientSecretBasic,
  clockTolerance,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { isUnknownAuthority, TRUST_ADVICE } from '#files/unknown-authority.ts';
import type { SignInFailureCode } from '#contract/desk/oidc.ts';
import { SignInFailure } from '#server/core/sign-in-failure.ts';
import type { OidcSettings } from '#server/core/provider-settings.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { Log } from '#server/core/ports.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../accounts/signature-algorithms.ts';

/** The metadata of an OpenID provider. */
export interface Provider {
  /** Rejects with a `SignInFailure` if the provider does not respond and its metadata are unknown. */
  readonly configuration: () => Promise<Configuration>;
}

const KNOWN_FOR_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;

export function createProvider(
  { issuer, clientId, clientSecret }: OidcSettings,
  { elapsed, log }: { readonly elapsed: () => number; readonly log: Log },
): Provider {
  let known: { readonly configuration: Configuration; readonly at: number } | null = null;
  const url = new URL(issuer);
  // The settings allow plain http to this machine only.
  // oxlint-disable-next-line typescript/no-deprecated -- Marked so that nobody uses it by mistake.
  const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  // Tokens must be signed even if they come directly from the provider.
  const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  // The authentication method that every provider must support.
  const authentication = clientSecret === null ? None() : ClientSecretBasic(clientSecret);

  return {
    configuration: async () => {
      if (known !== null && elapsed() - known.at < KNOWN_FOR_MS) return known.configuration;
      try {
        const configuration = await discovery(url, clientId, metadata, authentication, {
          execute: [enableNonRepudiationChecks, ...insecure],
          timeout: TIMEOUT_SECONDS,
        });
        known = { configuration, at: elapsed() };
        return configuration;
      } catch (error) {
        log('warn', 'provider not reached', { issuer, reason: reasonOf(error) });
        if (known !== null) return known.configuration;
        throw new SignInFailure('provider-away', { cause: error });
      }
    },
  };
}

/** Returns the message of an error and its causes: a failed fetch has its reason in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnknownAuthority(codeOf(error)))
    return `its certificate is not trusted (${String(codeOf(error))}): ${TRUST_ADVICE}`;
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

const FIRST_SERVER_ERROR = 500;

/** Returns what a failure at the provider means for the person who signs in. */
export function classifyFailure(error: unknown): SignInFailureCode {
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? 'refused' : 'provider-failed';
  if (isAway(error)) return 'provider-away';
  if (error instanceof ResponseBodyError) return 'provider-failed';
  return codeOf(error) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? 'clocks-differ' : 'not-trusted';
}

/** Time-outs, and keys that came with another status than 200 or were no JSON. */
const NO_RESPONSE: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']);

/** Returns whether there was no response or only a server error, which may pass by itself. */
export function isAway(error: unknown): boolean {
  // A failed fetch has its reason in the cause. Other errors of this type are bugs of our own.
  if (error instanceof TypeError) return error.cause !== undefined;
  if (error instanceof ResponseBodyError) return error.status >= FIRST_SERVER_ERROR;
  if (error instanceof SignInFailure || NO_RESPONSE.has(codeOf(error))) return true;
  return error instanceof Error && error.cause instanceof Response && error.cause.status >= FIRST_SERVER_ERROR;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** What the provider says about a person. */
export interface Claims {
  readonly sub: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** The provider's name for the session; null if it has none. */
  readonly sid: string | null;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * Reads claims from the ID token, and from the user info if groups are listed only there. `known`: the expected person,
 * if the ID token may be missing.
 */
export async function readClaims(
  configuration: Configuration,
  { groupsClaim }: OidcSettings,
  tokens: Tokens,
  known?: string,
): Promise<Claims> {
  const ofToken = tokens.claims();
  const sub = ofToken?.sub ?? known;
  if (sub === undefined) throw new Error('The response has no ID token.');
  if (known !== undefined && sub !== known) throw new OtherPerson('The ID token names another person.');
  const all: Readonly<Record<string, unknown>> =
    ofToken?.[groupsClaim] === undefined
      ? { ...(await fetchMore(configuration, tokens.access_token, sub, ofToken !== undefined)), ...ofToken }
      : ofToken;
  const { sid } = all;
  return { sub, name: nameOf(all, sub), groups: toGroups(all[groupsClaim]), sid: typeof sid === 'string' ? sid : null };
}

/** Thrown if the tokens belong to another person than before. */
export class OtherPerson extends Error {
  override readonly name = 'OtherPerson';
}

async function fetchMore(
  configuration: Configuration,
  accessToken: string,
  sub: string,
  isOptional: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  if (configuration.serverMetadata().userinfo_endpoint !== undefined)
    return fetchUserInfo(configuration, accessToken, sub);
  if (isOptional) return {};
  throw new Error('The provider sent no ID token and has no user info.');
}

const LONGEST_NAME = 100;

function nameOf(claims: Readonly<Record<string, unknown>>, sub: string): string {
  const name = [claims['preferred_username'], claims['name'], claims['email']].find(
    (one) => typeof one === 'string' && one !== '',
  );
  return toPrintable(typeof name === 'string' ? name : sub).slice(0, LONGEST_NAME);
}

function toGroups(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? claim.filter((group) => typeof group === 'string') : [];
}
