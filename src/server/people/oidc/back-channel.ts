import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { LogoutRejection } from '#contract/desk/oidc.ts';
import type { Log } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { OidcSettings } from '#server/core/provider-settings.ts';
import type { AccessRegistry } from '../accounts/access-registry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { SignInSessionRecord } from '../accounts/records.ts';
import type { SignInSessions } from '../accounts/sessions.ts';
import { hashOf } from '../accounts/secrets.ts';
import { noteUse, wasUsed } from '../accounts/used-once.ts';
import type { Store } from '#server/store/store.ts';
import { CLOCK_TOLERANCE_SECONDS, SIGNATURE_ALGORITHMS } from '../accounts/signature-algorithms.ts';
import { isAway, type Provider, reasonOf } from './provider.ts';

/** OpenID Connect Back-Channel Logout 1.0: the provider reports that a person has signed out there. Null on success. */
export type BackChannelLogout = (form: URLSearchParams, address: string) => Promise<LogoutRejection | null>;

interface BackChannelDeps {
  readonly settings: Pick<OidcSettings, 'issuer' | 'clientId'>;
  readonly provider: Provider;
  readonly book: Pick<AccessRegistry, 'state'>;
  readonly sessions: Pick<SignInSessions, 'end'>;
  readonly audit: AuditLog;
  readonly store: Pick<Store, 'read' | 'mustWrite'>;
  readonly now: () => number;
  readonly log: Log;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** The maximum age of a token, which is sent as soon as it is made. */
const LONGEST_AGE_SECONDS = 300;
const LONGEST_TOKEN = 16_384;
const TIMEOUT_MS = 5_000;
/** The shortest interval between look-ups of unknown keys, however many such tokens arrive. */
const COOLDOWN_MS = 10_000;

export function createBackChannelLogout(deps: BackChannelDeps): BackChannelLogout {
  const { book, sessions, audit, store, log } = deps;
  const verify = createVerifier(deps);

  const reject = (error: LogoutRejection['error'], reason: string, address: string): LogoutRejection => {
    log('warn', 'logout rejected', { reason: toPrintable(reason), address });
    audit.gather({
      kind: 'request refused',
      who: '',
      name: '',
      address,
      detail: 'A back-channel logout was rejected; the log of the server has the reason.',
    });
    return {
      error,
      error_description:
        error === 'logout_failed'
          ? 'The sessions could not be ended: send the token again.'
          : 'The logout token is not accepted; the log of Perpdesk has the reason.',
    };
  };
  return async (form, address) => {
    let logout: Logout;
    try {
      logout = toLogout(await verify(form.getAll('logout_token')));
    } catch (error) {
      return reject(isAway(error) ? 'logout_failed' : 'invalid_request', reasonOf(error), address);
    }
    try {
      if (await wasUsed(store, hashOf(logout.jti)))
        return reject('invalid_request', 'The logout token was used before.', address);
      const ended = [...book.state().sessions.values()].filter((session) => isEnded(logout, session));
      await sessions.end((session) => isEnded(logout, session));
      for (const { person, name } of ended)
        await audit.record({
          kind: 'session ended',
          who: person,
          name,
          address,
          detail: 'Signed out at the provider.',
        });
      // Only now, since the provider may send the same token again after a failure.
      await noteUse(store, hashOf(logout.jti));
      return null;
    } catch (error) {
      return reject('logout_failed', reasonOf(error), address);
    }
  };
}

/** Creates a verifier of a token's signature, audience and time. */
function createVerifier({
  settings: { issuer, clientId },
  provider,
  now,
}: BackChannelDeps): (tokens: readonly string[]) => Promise<JWTPayload> {
  let keys: { readonly url: string; readonly getKey: JWTVerifyGetKey } | null = null;
  const findKeys = async (): Promise<JWTVerifyGetKey> => {
    const url = (await provider.configuration()).serverMetadata().jwks_uri;
    if (url === undefined) throw new Error('The provider publishes no keys.');
    if (keys?.url !== url)
      keys = {
        url,
        getKey: createRemoteJWKSet(new URL(url), { cooldownDuration: COOLDOWN_MS, timeoutDuration: TIMEOUT_MS }),
      };
    return keys.getKey;
  };
  return async ([token = '', ...others]) => {
    if (token === '' || others.length > 0) throw new Error('The request must have one logout_token.');
    if (token.length > LONGEST_TOKEN) throw new Error('The logout token is too long.');
    const { payload } = await jwtVerify(token, await findKeys(), {
      ...{ issuer, audience: clientId, algorithms: SIGNATURE_ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_SECONDS },
      ...{
        requiredClaims: ['iat', 'exp', 'jti', 'events'],
        maxTokenAge: LONGEST_AGE_SECONDS,
        currentDate: new Date(now()),
      },
    });
    return payload;
  };
}

interface Logout {
  readonly jti: string;
  readonly sub: string | null;
  readonly sid: string | null;
}

/** Rejects ID tokens, which have a nonce and no logout event. */
function toLogout({ nonce, events, ...claims }: JWTPayload): Logout {
  const event = (events as Readonly<Record<string, unknown>> | null)?.[EVENT];
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new Error('The token has no logout event.');
  if (nonce !== undefined) throw new Error('The token has a nonce, so it is no logout token.');
  const [jti, sub, sid] = [toText('jti', claims.jti), toText('sub', claims.sub), toText('sid', claims['sid'])];
  if (jti === null) throw new Error('The token has no jti.');
  if (sub === null && sid === null) throw new Error('The token has neither sub nor sid.');
  return { jti, sub, sid };
}

function toText(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`The token has a ${name} that is no text.`);
}

/** With a `sid`, ends that session and the person's sessions without one; otherwise all sessions of the person. */
function isEnded({ sub, sid }: Logout, { way, person, provider }: SignInSessionRecord): boolean {
  if (way !== 'oidc' || (sub !== null && person !== sub)) return false;
  return sid === null || provider?.sid === sid || (sub !== null && (provider?.sid ?? null) === null);
}
