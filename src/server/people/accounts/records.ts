import type { SIGN_IN_WAYS } from '#contract/desk/access.ts';
import type { AccessMode } from '#contract/desk/roles.ts';
import type { Entitlement } from './entitlement.ts';

export type SignInWay = (typeof SIGN_IN_WAYS)[number];

/** The ways to sign in, by access mode. Sessions of another mode are invalid. */
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
  /** The password hash with everything needed to verify it; null if they cannot sign in with a password. */
  readonly password: string | null;
  readonly createdAt: number;
  readonly lastSignedInAt: number | null;
}

export interface PasskeyRecord {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  /** The credential ID that browsers use, in base64url, as is `publicKey`. */
  readonly credential: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** What a session shares with the provider at which it began. */
export interface ProviderSession {
  /** The provider's name for the session; null if it has none. */
  readonly sid: string | null;
  /** The sealed refresh token; null if the session keeps what it was granted. */
  readonly refreshToken: string | null;
  /** The sealed ID token of the sign-in, by which the provider knows whom to sign out. */
  readonly idToken?: string;
  /** When the provider last confirmed the person's rights. */
  readonly confirmedAt: number;
}

export interface SignInSessionRecord {
  readonly id: string;
  readonly hash: string;
  readonly person: string;
  readonly name: string;
  /** What a provider granted; null if the person's record decides at each request. */
  readonly granted: Entitlement | null;
  /** Present only if the session began at an OpenID provider. */
  readonly provider?: ProviderSession;
  readonly way: SignInWay;
  readonly createdAt: number;
  /** When a password or passkey was last verified in the session; if absent, when it began. */
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

/** The credentials that a person keeps when their access is ended. */
export interface Keep {
  readonly tokens: boolean;
  readonly passkeys: boolean;
}

/** The ID is the person's, so only the latest invitation can be used. */
export interface InvitationRecord {
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: number;
  /** What the person keeps after accepting; if absent, nothing. */
  readonly keep?: Keep;
}

/** A person of a provider or proxy, as last seen. The ID is that of the owner of what they save. */
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
  readonly sessions: SignInSessionRecord;
  readonly tokens: TokenRecord;
  readonly invitations: InvitationRecord;
  readonly provided: ProvidedRecord;
}

export type RecordKind = keyof AccessRecords;
