import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type Mount,
} from '#contract/exchange/endpoints.ts';
import { REJECTIONS, type Rejection } from '#contract/exchange/rejections.ts';
import { toShape } from '#contract/exchange/schema.ts';
import { VENUES } from '#contract/exchange/addresses.ts';
import { toParameters, type DocumentParameter } from './openapi-parameters.ts';
import { collectRows, toReference, type DocumentSchema } from './openapi-schemas.ts';
import { SECURITY_SCHEMES, securityOf } from './openapi-security.ts';
import { VENUE } from './openapi-venue.ts';

export interface Operation {
  readonly 'operationId': EndpointName;
  readonly 'tags': readonly Mount[];
  readonly 'summary': string;
  readonly 'parameters': readonly DocumentParameter[];
  readonly 'responses': Readonly<Record<string, object>>;
  readonly 'security': readonly Readonly<Record<string, readonly string[]>>[];
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
  description: 'The API of a venue.',
  variables: { base_url: { default: VENUE.baseUrl, description: 'Base URL of the venue.' } },
};

const ENVIRONMENT = {
  name: 'env',
  in: 'path',
  required: true,
  description: 'Environment of the venue.',
  schema: { type: 'string', enum: environments(), default: VENUE.env },
};

const MOUNT_DESCRIPTIONS: Readonly<Record<Mount, string>> = {
  web: 'Charts and market statistics. Draft: may change without notice.',
  funding: 'Funding rates of perpetuals. Paths have a version, but no environment.',
  orders: 'Orders of the accounts that the caller may see. Requests must be signed.',
  product: 'Specifications and trading data of products. Not offered by every venue.',
};

/** Errors are bare statuses. If there is a body, it is a sentence for people, which clients must not parse. */
const ERROR_BODY = {
  'text/plain': { schema: { type: 'string', description: 'A sentence for people, or empty.' } },
} as const;

const ERROR_RESPONSES: Readonly<Record<string, object>> = Object.fromEntries(
  REJECTIONS.map(({ name, meaning, body }) => [
    name,
    { description: meaning, ...(body === 'sentence' && { content: ERROR_BODY }) },
  ]),
);

/** Generates the interface as an OpenAPI document, from the endpoint table. */
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
    tags: toTags(MOUNT_DESCRIPTIONS),
    paths: Object.fromEntries(ENDPOINT_NAMES.map((name) => [toTemplate(ENDPOINTS[name]), toPathItem(name)])),
    components: {
      schemas: collectRows(ENDPOINT_NAMES.map((name) => toShape(ENDPOINTS[name].response))),
      responses: ERROR_RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

export function toTags(descriptions: Readonly<Record<Mount, string>>): readonly object[] {
  return Object.entries(descriptions).map(([name, description]) => ({ name, description }));
}

export function writeOpenApi(): string {
  return `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`;
}

const DESCRIPTION = [
  'Paths are relative to a venue’s base URL: the default prefix of the mount, followed by the path in the interface.',
  'Private requests sign the complete path, including that of the base URL.',
  'Where a description says “here”, the interface leaves a point open and the embedded exchange of ' +
    'Perpdesk decides it.',
  'The same applies to the exact formats of times, days, codes and cursors.',
  '`x-unit` is the unit of a number or text, `x-stability` says whether an endpoint may change without notice,',
  '`x-reuse-seconds` how long a response may be reused, `x-paged` whether it is paged,',
  'and `x-optional` whether a venue may lack it.',
].join(' ');

function toPathItem(name: EndpointName): PathItem {
  const endpoint: Endpoint = ENDPOINTS[name];
  const access = { responses: errorResponsesOf(endpoint), security: securityOf(endpoint) };
  return { ...(isBelowEnvironment(endpoint) && { parameters: [ENVIRONMENT] }), get: toOperation(name, access) };
}

/** Describes an endpoint; who may request it, and how it fails, depends on who serves it. */
export function toOperation(
  name: EndpointName,
  { responses, security }: Pick<Operation, 'responses' | 'security'>,
): Operation {
  const endpoint: Endpoint = ENDPOINTS[name];
  const content = { 'application/json': { schema: toReference(toShape(endpoint.response)) } };
  return {
    'operationId': name,
    'tags': [endpoint.mount],
    'summary': endpoint.summary,
    'parameters': toParameters(endpoint),
    'responses': { '200': { description: 'The response.', content }, ...responses },
    security,
    'x-stability': endpoint.stability,
    'x-paged': endpoint.paged,
    'x-optional': endpoint.optional,
    'x-reuse-seconds': endpoint.reuseSeconds,
  };
}

/** The mount is part of the path, because client generators use one server for all paths. */
function toTemplate(endpoint: Endpoint): string {
  return VENUE.mounts[endpoint.mount] + toPathTemplate(endpoint.path);
}

/** Converts `/x/:id` to `/x/{id}`. */
export function toPathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function isBelowEnvironment({ mount }: Endpoint): boolean {
  return VENUE.mounts[mount].includes('{env}');
}

function environments(): string[] {
  return [...new Set(Object.values(VENUES).map((venue) => venue.env))];
}

function errorResponsesOf(endpoint: Endpoint): Record<string, object> {
  const possible = REJECTIONS.filter((rejection: Rejection) => !rejection.signedOnly || endpoint.access === 'signed');
  return Object.fromEntries(
    possible.map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }]),
  );
}
