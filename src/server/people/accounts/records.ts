import type { SIGN_IN_WAYS } from '#contract/desk/access.ts';
import type { AccessMode } from '#contract/desk/roles.ts';
import type { Entitlement } from './entitlement.ts';

export type SignInWay = (typeof SIGN_IN_WAYS)[number];

/** How one signs in, by how a desk knows people. Sessions of another mode no longer hold. */
export const WAYS: Readonly<Record<AccessMode, readonly SignInWay[]>> = {
  local: ['local'],
  users: ['password', 'passkey'],
  oidc: ['oidc'],
  proxy: ['proxy'],
};

/** Times are in epoch milliseconds. */
export interface PersonRecord extends Entitlement {
  readonly id: string;
  readonly name: string;
  readonly disabled: boolean;
  /** Its hash, with all that is needed to check it; null: they cannot sign in with one. */
  readonly password: string | null;
  readonly createdAt: number;
  readonly lastSignedInAt: number | null;
}

export interface PasskeyRecord {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  /** Its id as browsers know it, in base64url, as `publicKey`. */
  readonly credential: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** What a session shares with the provider that it was begun at. */
export interface ProviderSession {
  /** Names the session there; null if the provider does not. */
  readonly sid: string | null;
  /** The refresh token, sealed; null: the session keeps what it was granted. */
  readonly refreshToken: string | null;
  /** When the provider last said what the person may do. */
  readonly confirmedAt: number;
}

export interface SessionRecord {
  readonly id: string;
  readonly hash: string;
  readonly person: string;
  readonly name: string;
  /** As a provider granted it; null: what the record of the person says at each moment. */
  readonly granted: Entitlement | null;
  /** Only of those that were begun at an OpenID provider. */
  readonly provider?: ProviderSession;
  readonly way: SignInWay;
  readonly createdAt: number;
  /** When the password or a passkey was last verified in it; without it, when it was begun. */
  readonly verifiedAt?: number;
  readonly lastUsedAt: number;
  readonly endsAt: number;
  readonly address: string;
  readonly browser: string;
}

export interface TokenRecord extends Entitlement {
  readonly id: string;
  readonly hash: string;
  readonly person: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
}

/** What a person keeps when their access is ended. */
export interface Keep {
  readonly tokens: boolean;
  readonly passkeys: boolean;
}

/** Its id is that of the person: the last one alone can be used. */
export interface InvitationRecord {
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: number;
  /** What its person keeps once it is accepted; without it, nothing. */
  readonly keep?: Keep;
}

/** A person of a provider or proxy, as of when they were last seen. Its id is that of the owner of what they save. */
export interface ProvidedRecord extends Entitlement {
  readonly id: string;
  readonly mode: AccessMode;
  readonly person: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastSignedInAt: number;
}

export interface AccessRecords {
  readonly people: PersonRecord;
  readonly passkeys: PasskeyRecord;
  readonly sessions: SessionRecord;
  readonly tokens: TokenRecord;
  readonly invitations: InvitationRecord;
  readonly provided: ProvidedRecord;
}

export type RecordKind = keyof AccessRecords;
