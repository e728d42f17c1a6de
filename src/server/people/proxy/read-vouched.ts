import type { IncomingMessage } from 'node:http';
import { jwtVerify, type JWTPayload } from 'jose';
import { setBounded } from '#server/core/bounded-map.ts';
import type { ProxyHeaderSettings, ProxyTokenSettings } from '#server/core/provider-settings.ts';
import { CLOCK_TOLERANCE_SECONDS, SIGNATURE_ALGORITHMS } from '../accounts/signature-algorithms.ts';
import type { Vouched } from './provided-viewers.ts';
import type { TokenKeys } from './token-keys.ts';

/** Null: nobody is vouched for. A sentence: the request is rejected. */
export type ReadVouched = (request: IncomingMessage) => Promise<Vouched | string | null>;

/** Believes the headers of a proxy that alone can open the desk's Unix socket. */
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
/** How long a token is believed without being verified again. */
const VERIFIED_FOR_MS = 5 * 60_000;
const LONGEST_TOKEN = 8_192;

interface Verified {
  readonly vouched: Vouched;
  readonly until: number;
}

/** Believes tokens that the proxy signed for this desk. */
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
    // What the keys of now verify must not be kept as verified by later ones.
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
      return `The token in the header ${header} is rejected: ${error instanceof Error ? error.message : String(error)}.`;
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

/** Printable, and short enough for a log and a screen. */
function isName(text: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S} ]{1,200}$/u.test(text);
}

/**
 * The value of a header, exactly once and exactly so named. A proxy may pass `remote_user` on unchanged while it removes
 * `remote-user`, and another layer may take both for the same.
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
