/** Who says who people are, where the desk does not keep them itself. */
export interface ProviderSettings {
  /** File with the roles and accounts of their groups. */
  readonly groupsFile: string;
  readonly source: OidcSettings | ProxySettings;
}

/** An OpenID provider. */
export interface OidcSettings {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scope: string;
  readonly groupsClaim: string;
  /** How often the groups of people who are signed in are read again; 0: not until they sign in again. */
  readonly refreshSeconds: number;
}

export type ProxySettings = ProxyHeaderSettings | ProxyTokenSettings;

/** A proxy that alone can open the desk's Unix socket, so that its headers can be believed. */
export interface ProxyHeaderSettings {
  readonly kind: 'headers';
  /** Names of headers are in lower case. */
  readonly userHeader: string;
  readonly groupsHeader: string | null;
}

/** A proxy whose tokens prove themselves. */
export interface ProxyTokenSettings {
  readonly kind: 'tokens';
  readonly header: string;
  readonly issuer: string;
  readonly audience: string;
  /** Address or file of the public keys. */
  readonly keys: { readonly url: string } | { readonly file: string };
  readonly userClaim: string;
  readonly groupsClaim: string;
}
