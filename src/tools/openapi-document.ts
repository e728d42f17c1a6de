import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName, type Mount } from '#contract/endpoints.ts';
import { toShape } from '#contract/schema.ts';
import { VENUES } from '#contract/venues.ts';
import { toParameters, type DocumentParameter } from './openapi-parameters.ts';
import { ERROR_RESPONSES, errorResponsesOf } from './openapi-responses.ts';
import { collectRows, toReference, type DocumentSchema } from './openapi-schemas.ts';
import { SECURITY_SCHEMES, securityOf } from './openapi-security.ts';
import { VENUE } from './openapi-venue.ts';

export interface Operation {
  readonly operationId: EndpointName;
  readonly tags: readonly Mount[];
  readonly summary: string;
  readonly parameters: readonly DocumentParameter[];
  readonly responses: Readonly<Record<string, object>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-stability': Endpoint['stability'];
  readonly 'x-paged': boolean;
  readonly 'x-optional': boolean;
  readonly 'x-reuse-seconds': number;
}

export interface PathItem {
  readonly parameters?: readonly object[];
  readonly get: Operation;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

const SERVER = {
  url: '{base_url}',
  description: 'A venue.',
  variables: { base_url: { default: VENUE.baseUrl, description: 'Where the venue is.' } },
};

const ENVIRONMENT = {
  name: 'env',
  in: 'path',
  required: true,
  description: 'The environment of the venue.',
  schema: { type: 'string', enum: environments(), default: VENUE.env },
};

const MOUNT_DESCRIPTIONS: Readonly<Record<Mount, string>> = {
  web: 'Charts and market statistics. Drafts: they may change without notice.',
  funding: 'Funding rates of perpetuals. Below a version, not below an environment.',
  orders: 'Orders of the accounts that the caller may see. Signed.',
  product: 'Specifications and trading data of products. Not every venue has them.',
};

/** The interface as an OpenAPI document. Everything in it follows from the endpoint table. */
export function createOpenApiDocument(): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Market data and orders of a derivatives exchange',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [SERVER],
    tags: Object.entries(MOUNT_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(ENDPOINT_NAMES.map((name) => [toTemplate(ENDPOINTS[name]), toPathItem(name)])),
    components: {
      schemas: collectRows(ENDPOINT_NAMES.map((name) => toShape(ENDPOINTS[name].response))),
      responses: ERROR_RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

export function writeOpenApi(): string {
  return `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
}

const DESCRIPTION = [
  'A path here is what comes after a venue’s base URL: the usual prefix of its mount, then the path of the interface.',
  'A private request signs the path of the base URL and the whole of it.',
  'What a description says is so “here”, the interface leaves open and the exchange that comes with Perpdesk decides, as it',
  'does the exact forms of times, days, codes and cursors.',
  '`x-unit` tells what a number or text counts, `x-stability` whether an endpoint may change without notice,',
  '`x-reuse-seconds` how long an answer may be used again, `x-paged` whether it comes in pages,',
  '`x-optional` that not every venue has it.',
].join(' ');

function toPathItem(name: EndpointName): PathItem {
  const endpoint: Endpoint = ENDPOINTS[name];
  return { ...(isBelowEnvironment(endpoint) && { parameters: [ENVIRONMENT] }), get: toOperation(name, endpoint) };
}

function toOperation(name: EndpointName, endpoint: Endpoint): Operation {
  const content = { 'application/json': { schema: toReference(toShape(endpoint.response)) } };
  return {
    operationId: name,
    tags: [endpoint.mount],
    summary: endpoint.summary,
    parameters: toParameters(endpoint),
    responses: { '200': { description: 'The answer.', content }, ...errorResponsesOf(endpoint) },
    security: securityOf(endpoint),
    'x-stability': endpoint.stability,
    'x-paged': endpoint.paged,
    'x-optional': endpoint.optional,
    'x-reuse-seconds': endpoint.reuseSeconds,
  };
}

/** `/x/:id` as `/v1/x/{id}`. The mount stands in the path, since generators of clients know one server for all paths. */
function toTemplate(endpoint: Endpoint): string {
  return VENUE.mounts[endpoint.mount] + endpoint.path.replace(/:(\w+)/g, '{$1}');
}

function isBelowEnvironment({ mount }: Endpoint): boolean {
  return VENUE.mounts[mount].includes('{env}');
}

function environments(): string[] {
  return [...new Set(Object.values(VENUES).map((venue) => venue.env))];
}
