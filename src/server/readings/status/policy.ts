import { API_PREFIX } from '#contract/desk/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from '#contract/exchange/endpoints.ts';
import { toMountPrefix, type VenueProfile } from '#contract/exchange/venues.ts';

/** The endpoint table for people: the only requests that the gateway sends to the exchange. */
export function describePolicy(profile: VenueProfile): object {
  return {
    venue: profile.name,
    methods: ['GET', 'HEAD'],
    endpoints: ENDPOINT_NAMES.map((name) => ({ name, ...describeEndpoint(ENDPOINTS[name], profile) })),
  };
}

function describeEndpoint(endpoint: Endpoint, profile: VenueProfile): object {
  const { path, mount, summary, access, paged, stability, optional, reuseSeconds, settled, purpose } = endpoint;
  return {
    path: API_PREFIX + path,
    upstream: toMountPrefix(profile, mount) + path,
    summary,
    access,
    paged,
    stability,
    optional,
    reuse_seconds: reuseSeconds,
    settled_after_seconds: settled?.afterSeconds ?? null,
    purpose,
    path_parameters: describeParameters(endpoint.pathParameters),
    query: describeParameters(endpoint.query),
  };
}

function describeParameters(parameters: Endpoint['query']): readonly object[] {
  return Object.entries(parameters).map(([name, { grammar, repeatable = false }]) => ({
    name,
    must_be: grammar.sentence,
    repeatable,
  }));
}
