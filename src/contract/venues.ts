import type { Mount } from './endpoints.ts';

/** Where a venue's endpoints are. */
export interface VenueProfile {
  readonly name: string;
  /** Absolute, without a trailing slash; null for the venue that runs inside the desk, whose address is known when it listens. */
  readonly baseUrl: string | null;
  /** Fills `{env}` in the mounts. */
  readonly env: string;
  /** What comes between the base URL and an endpoint's path. */
  readonly mounts: Readonly<Record<Mount, string>>;
}

const MOUNTS: VenueProfile['mounts'] = { web: '', funding: '/v1', orders: '/v1/{env}', product: '/v1/{env}' };

const BITNOMIAL = 'https://bitnomial.com/exchange/api';

/** The venues known by name. Any other is a file that holds one such profile. */
export const VENUES: Readonly<Record<string, VenueProfile>> = {
  sandbox: { name: 'sandbox', baseUrl: null, env: 'prod', mounts: MOUNTS },
  bitnomial: { name: 'bitnomial', baseUrl: BITNOMIAL, env: 'prod', mounts: MOUNTS },
  'bitnomial-sandbox': { name: 'bitnomial-sandbox', baseUrl: BITNOMIAL, env: 'sandbox', mounts: MOUNTS },
};

/** The prefix of an endpoint's path below the base URL, for example `/v1/prod`. */
export function toMountPrefix(profile: VenueProfile, mount: Mount): string {
  return profile.mounts[mount].replace('{env}', profile.env);
}
