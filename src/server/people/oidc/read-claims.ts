import {
  fetchUserInfo,
  type Configuration,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { OidcSettings } from '#server/core/provider-settings.ts';
import { toPrintable } from '#server/core/printable.ts';

/** What the provider says of a person. */
export interface Claims {
  readonly sub: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** Names the session at the provider; null if it has no name. */
  readonly sid: string | null;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** From the ID token, and from the user info where groups are listed only there. `known`: who it must be, if there need not be an ID token. */
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

/** The tokens belong to somebody else than before. */
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
