import type { Log } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import type { Identify } from '#server/core/viewer.ts';
import { cookiesOf, findForgery, NOBODY, SESSION_COOKIE } from '../accounts/viewers.ts';
import type { AddressOf } from '../accounts/requesting.ts';
import type { ProvidedViewers, Vouched } from './provided-viewers.ts';
import type { IncomingMessage } from 'node:http';
import { type JWTPayload, jwtVerify } from 'jose';
import { setBounded } from '#server/core/maps.ts';
import type { ProxyHeaderSettings, ProxyTokenSettings } from '#server/core/provider-settings.ts';
import { CLOCK_TOLERANCE_SECONDS, SIGNATURE_ALGORITHMS } from '../accounts/signature-algorithms.ts';
import type { TokenKeys } from './token-keys.ts';

interface IdentifyDeps {
  readonly read: ReadVouched;
  readonly viewers: ProvidedViewers;
  readonly addressOf: AddressOf;
  readonly log: Log;
}

const BESIDE_SESSION = 'The request has a session cookie of Perpdesk in addition to the identity from the proxy.';

/** Identifies the sender of a request as the proxy in front reports it. */
export function createProxyIdentify({ read, viewers, addressOf, log }: IdentifyDeps): Identify {
  return async (request) => {
    const refuse = (detail: string): Problem => {
      log('warn', 'proxy rejected', { reason: detail, address: addressOf(request) });
      return { type: 'not-allowed', detail: `${detail} Check the configuration of the proxy in front of Perpdesk.` };
    };
    const found = await read(request);
    if (found === null) return NOBODY;
    if (typeof found === 'string') return refuse(found);
    if (cookiesOf(request, SESSION_COOKIE).length > 0) return refuse(BESIDE_SESSION);
    const viewer = viewers.viewerOf(found, addressOf(request));
    return findForgery(request, viewers.identityOf(viewer)?.forgeryToken ?? null) ?? viewer;
  };
}

/** Null if the request names no person. A sentence if it is rejected. */
export type ReadVouched = (request: IncomingMessage) => Promise<Vouched | string | null>;

/** Trusts headers, because only the proxy can open the server's Unix socket. */
export function createHeaderReader({ userHeader, groupsHeader }: ProxyHeaderSettings): ReadVouched {
  const read = (request: IncomingMessage): Vouched | string | null => {
    const user = valueOf(request, userHeader);
    const groups = groupsHeader === null ? null : valueOf(request, groupsHeader);
    for (const found of [user, groups]) if (typeof found === 'object' && found !== null) return found.mistake;
    if (typeof user !== 'string' || user === '')
      return typeof groups === 'string' && groups !== ''
        ? `The request has the header ${groupsHeader ?? ''} without ${userHeader}.`
        : null;
    const names =
      typeof groups === 'string'
        ? groups
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '')
        : [];
    return isName(user)
      ? { id: user, groups: names, until: null }
      : `The header ${userHeader} is not the name of a person.`;
  };
  return (request) => Promise.resolve(read(request));
}

const MOST_VERIFIED = 1_000;
/** How long a token is trusted without being verified again. */
const VERIFIED_FOR_MS = 5 * 60_000;
const LONGEST_TOKEN = 8_192;

interface Verified {
  readonly vouched: Vouched;
  readonly until: number;
}

/** Trusts tokens that the proxy signed for this server. */
export function createTokenReader(
  settings: Omit<ProxyTokenSettings, 'kind' | 'keys'>,
  { getKey, onChange }: Pick<TokenKeys, 'getKey' | 'onChange'>,
  now: () => number,
): ReadVouched {
  const { header, issuer, audience } = settings;
  let verified = new Map<string, Verified>();
  onChange(() => {
    verified = new Map();
  });
  const verify = async (token: string): Promise<Vouched | string> => {
    // A token verified with the current keys must not count as verified with later ones.
    const ofTheseKeys = verified;
    try {
      const { payload } = await jwtVerify(token, getKey, {
        issuer,
        audience,
        algorithms: SIGNATURE_ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp'],
        currentDate: new Date(now()),
      });
      const vouched = toVouched(payload, settings);
      if (typeof vouched !== 'string')
        setBounded(
          ofTheseKeys,
          token,
          { vouched, until: Math.min(vouched.until ?? 0, now() + VERIFIED_FOR_MS) },
          MOST_VERIFIED,
        );
      return vouched;
    } catch (error) {
      return (
        `The token in the header ${header} is rejected: ` + `${error instanceof Error ? error.message : String(error)}.`
      );
    }
  };
  return async (request) => {
    const value = valueOf(request, header);
    if (value === null || value === '') return null;
    if (typeof value === 'object') return value.mistake;
    const token = value.replace(/^Bearer /i, '');
    if (token.length > LONGEST_TOKEN) return `The token in the header ${header} is too long.`;
    const known = verified.get(token);
    return known !== undefined && now() < known.until ? known.vouched : verify(token);
  };
}

function toVouched(
  payload: JWTPayload,
  { userClaim, groupsClaim, header }: Pick<ProxyTokenSettings, 'userClaim' | 'groupsClaim' | 'header'>,
): Vouched | string {
  const user = payload[userClaim];
  const groups = payload[groupsClaim] ?? [];
  if (typeof user !== 'string' || !isName(user))
    return `The token in the header ${header} names no person in ${userClaim}.`;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string'))
    return `The token in the header ${header} has no list of groups in ${groupsClaim}.`;
  return { id: user, groups, until: ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1_000 };
}

/** Names must be printable and short enough for a log and a screen. */
function isName(text: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S} ]{1,200}$/u.test(text);
}

/**
 * Returns the value of a header that occurs exactly once and under exactly this name. A proxy may pass on `remote_user`
 * unchanged while removing `remote-user`, and another layer may confuse the two.
 */
function valueOf({ rawHeaders }: IncomingMessage, name: string): string | null | { readonly mistake: string } {
  const alike = rawHeaders.flatMap((sent, index) =>
    index % 2 === 0 && sent.toLowerCase().replaceAll('_', '-') === name
      ? [{ sent: sent.toLowerCase(), value: rawHeaders[index + 1] ?? '' }]
      : [],
  );
  const [first] = alike;
  if (first === undefined) return null;
  if (alike.length > 1) return { mistake: `The request has the header ${name} several times.` };
  return first.sent === name
    ? first.value.trim()
    : { mistake: `The request has the header ${first.sent}, with underscores, in place of ${name}.` };
}
