import type { Mount } from './endpoints.ts';

/** Where a venue's endpoints are. */
export interface VenueProfile {
  readonly name: string;
  /** Absolute, without a trailing slash; null for the venue that runs inside the desk, whose address is known when it listens. */
  readonly baseUrl: string | null;
  /** Fills `{env}` in the mounts. */
  readonly env: string;
  /** What comes between the base URL and an endpoint's path: nothing, or from a slash on, without a trailing one. */
  readonly mounts: Readonly<Record<Mount, string>>;
}

/** The mounts of the known venues, and of any other whose file says nothing else. */
export const USUAL_MOUNTS: VenueProfile['mounts'] = {
  web: '',
  funding: '/v1',
  orders: '/v1/{env}',
  product: '/v1/{env}',
};

const BITNOMIAL = 'https://bitnomial.com/exchange/api';

/** The venues known by name. Any other is a file that holds one such profile: `parseVenueProfile`. */
export const VENUES: Readonly<Record<string, VenueProfile>> = {
  sandbox: { name: 'sandbox', baseUrl: null, env: 'prod', mounts: USUAL_MOUNTS },
  bitnomial: { name: 'bitnomial', baseUrl: BITNOMIAL, env: 'prod', mounts: USUAL_MOUNTS },
  'bitnomial-sandbox': { name: 'bitnomial-sandbox', baseUrl: BITNOMIAL, env: 'sandbox', mounts: USUAL_MOUNTS },
};

/** The venue of that name, or null. Names that every object has (`constructor`) are no venues. */
export function findVenue(name: string): VenueProfile | null {
  return Object.hasOwn(VENUES, name) ? (VENUES[name] ?? null) : null;
}

/** The prefix of an endpoint's path below the base URL, for example `/v1/prod`. */
export function toMountPrefix(profile: VenueProfile, mount: Mount): string {
  return profile.mounts[mount].replaceAll('{env}', () => profile.env);
}
