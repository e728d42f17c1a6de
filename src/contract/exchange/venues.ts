import type { Mount } from './endpoints.ts';

/** The addresses of a venue's endpoints. */
export interface VenueProfile {
  readonly name: string;
  /** Absolute, without a trailing slash; null for the embedded exchange, whose address is known once it listens. */
  readonly baseUrl: string | null;
  /** Fills `{env}` in the mounts. */
  readonly env: string;
  /** Prefix of an endpoint's path below the base URL: empty, or beginning with a slash and without a trailing one. */
  readonly mounts: Readonly<Record<Mount, string>>;
}

/** The mounts of the built-in venues, and the defaults of a profile file. */
export const DEFAULT_MOUNTS: VenueProfile['mounts'] = {
  web: '',
  funding: '/v1',
  orders: '/v1/{env}',
  product: '/v1/{env}',
};

const BITNOMIAL = 'https://bitnomial.com/exchange/api';

/** The built-in venues. Any other is a profile file: see `parseVenueProfile`. */
export const VENUES: Readonly<Record<string, VenueProfile>> = {
  'sandbox': { name: 'sandbox', baseUrl: null, env: 'prod', mounts: DEFAULT_MOUNTS },
  'bitnomial': { name: 'bitnomial', baseUrl: BITNOMIAL, env: 'prod', mounts: DEFAULT_MOUNTS },
  'bitnomial-sandbox': { name: 'bitnomial-sandbox', baseUrl: BITNOMIAL, env: 'sandbox', mounts: DEFAULT_MOUNTS },
};

/** The built-in venue of a name, or null. Property names of every object (`constructor`) are not venues. */
export function findVenue(name: string): VenueProfile | null {
  return Object.hasOwn(VENUES, name) ? (VENUES[name] ?? null) : null;
}

/** The prefix of an endpoint's path below the base URL, for example `/v1/prod`. */
export function toMountPrefix(profile: VenueProfile, mount: Mount): string {
  return profile.mounts[mount].replaceAll('{env}', () => profile.env);
}
