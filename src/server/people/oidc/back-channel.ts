import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { LogoutRejection } from '#contract/desk/oidc.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import type { Log } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { OidcSettings } from '#server/core/provider-settings.ts';
import type { AccessBook } from '../accounts/access-book.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { SessionRecord } from '../accounts/records.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { CLOCK_TOLERANCE_SECONDS, SIGNATURE_ALGORITHMS } from '../accounts/signature-algorithms.ts';
import { isAway } from './classify-failure.ts';
import { reasonOf, type Provider } from './provider.ts';

/** OpenID Connect Back-Channel Logout 1.0: the provider says that a person has signed out there. Null: it is done. */
export type BackChannelLogout = (form: URLSearchParams, address: string) => Promise<LogoutRejection | null>;

interface BackChannelParts {
  readonly settings: Pick<OidcSettings, 'issuer' | 'clientId'>;
  readonly provider: Provider;
  readonly book: Pick<AccessBook, 'state'>;
  readonly sessions: Pick<Sessions, 'end'>;
  readonly audit: AuditLog;
  readonly now: () => number;
  readonly log: Log;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** A token is sent as soon as it is made. So long it is remembered, so that it cannot be used twice. */
const LONGEST_AGE_SECONDS = 300;
const MOST_REMEMBERED = 10_000;
const LONGEST_TOKEN = 16_384;
const TIMEOUT_MS = 5_000;
/** An unknown key is looked up at most this often, whoever sends tokens that name one. */
const COOLDOWN_MS = 10_000;

export function createBackChannelLogout(parts: BackChannelParts): BackChannelLogout {
  const { book, sessions, audit, now, log } = parts;
  const verify = createVerifier(parts);
  const used = new Map<string, number>();

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
    for (const [jti, until] of used) if (until <= now()) used.delete(jti);
    if (used.has(logout.jti)) return reject('invalid_request', 'The logout token was used before.', address);
    setBounded(used, logout.jti, now() + (LONGEST_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1_000, MOST_REMEMBERED);
    try {
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
      return null;
    } catch (error) {
      // The provider may send the same token again.
      used.delete(logout.jti);
      return reject('logout_failed', reasonOf(error), address);
    }
  };
}

/** Checks who signed a token, for whom, and when. */
function createVerifier({
  settings: { issuer, clientId },
  provider,
  now,
}: BackChannelParts): (tokens: readonly string[]) => Promise<JWTPayload> {
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

/** An ID token must not pass for one: it has a nonce and no such event. */
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

/** With a `sid`, that session, and those of the person that the provider gave no name; otherwise all of the person. */
function isEnded({ sub, sid }: Logout, { way, person, provider }: SessionRecord): boolean {
  if (way !== 'oidc' || (sub !== null && person !== sub)) return false;
  return sid === null || provider?.sid === sid || (sub !== null && (provider?.sid ?? null) === null);
}
