import { describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName } from '#contract/exchange/endpoints.ts';
import { toShape } from '#contract/exchange/schema.ts';
import { toMountPrefix, VENUES } from '#contract/exchange/addresses.ts';
import { createOpenApiDocument, type Operation, type PathItem } from './openapi-document.ts';

// The document is checked as published: as JSON, compared with the table.
const document = JSON.parse(JSON.stringify(createOpenApiDocument())) as ReturnType<typeof createOpenApiDocument>;

function findOperation(name: EndpointName): { path: string; item: PathItem; operation: Operation } {
  for (const [path, item] of Object.entries(document.paths)) {
    if (item.get.operationId === name) return { path, item, operation: item.get };
  }
  throw new Error(`The document has no operation ${name}.`);
}

/** Resolves all references in a value. */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return resolve(lookUp(String(value.$ref)));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
}

function lookUp(reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
}

/** The exchanges whose address is built in, because it is the same for everyone. */
const named = Object.values(VENUES).filter(({ baseUrl }) => baseUrl !== null);

test('there is exactly one operation for each endpoint', () => {
  const operations = Object.values(document.paths).map((item) => item.get.operationId);
  expect(operations).toEqual(ENDPOINT_NAMES);
});

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  const { path, item, operation } = findOperation(name);

  test.each(named)('has the URL of $name, below the only server', ({ baseUrl, ...venue }) => {
    const [server, ...others] = document.servers as { url: string; variables: { base_url: { default: string } } }[];
    expect(others).toEqual([]);
    expect(item).not.toHaveProperty('servers');
    const url = server?.url.replace('{base_url}', server.variables.base_url.default);
    const asTable = path.replace('{env}', venue.env).replaceAll('{', ':').replaceAll('}', '');
    expect(`${String(url)}${asTable}`).toBe(
      `${String(baseUrl)}${toMountPrefix({ ...venue, baseUrl }, endpoint.mount)}${endpoint.path}`,
    );
  });

  test('lists the environments if its path has one', () => {
    const schema = { type: 'string', enum: ['prod', 'sandbox'], default: 'prod' };
    const environment = expect.objectContaining({ name: 'env', in: 'path', required: true, schema }) as unknown;
    expect(item.parameters).toEqual(path.includes('{env}') ? [environment] : undefined);
  });

  test('has the parameters of the table, each with its grammar', () => {
    const table = [
      ...Object.entries(endpoint.pathParameters).map((entry) => ['path', ...entry] as const),
      ...Object.entries(endpoint.query).map((entry) => ['query', ...entry] as const),
    ];
    expect(operation.parameters).toEqual(
      table.map(([place, parameterName, { grammar, repeatable }]): unknown => ({
        name: parameterName,
        in: place,
        required: place === 'path',
        description: expect.stringContaining(grammar.sentence) as string,
        ...(repeatable
          ? {
              schema: { type: 'array', items: grammar.shape },
              example: [grammar.example],
              style: 'form',
              explode: true,
            }
          : { schema: grammar.shape, example: grammar.example }),
      })),
    );
  });

  test('has examples that the grammars accept', () => {
    for (const { name: parameterName, in: place, example } of operation.parameters) {
      const parameter = (place === 'path' ? endpoint.pathParameters : endpoint.query)[parameterName];
      for (const text of [example].flat()) expect(parameter?.grammar.accepts(text), parameterName).toBe(true);
    }
  });

  test('returns the schema of the table: every field, every unit', () => {
    const response = operation.responses['200'] as { content: { 'application/json': { schema: unknown } } };
    const schema = resolve(response.content['application/json'].schema);
    expect(schema).toEqual(JSON.parse(JSON.stringify(toShape(endpoint.response))));
  });

  test('has its access, stability, paging and reuse time, and whether it is optional', () => {
    const signed = endpoint.access === 'signed';
    expect(operation.security).toEqual(signed ? [{ connectionId: [], timestamp: [], signature: [] }] : []);
    expect(Object.hasOwn(operation.responses, '401')).toBe(signed);
    expect(operation).toMatchObject({
      'summary': endpoint.summary,
      'x-stability': endpoint.stability,
      'x-paged': endpoint.paged,
      'x-optional': endpoint.optional,
      'x-reuse-seconds': endpoint.reuseSeconds,
    });
  });
});

test('points that the interface leaves open are marked as decided here', () => {
  const describe = (name: EndpointName, parameter: string) =>
    findOperation(name).operation.parameters.find((one) => one.name === parameter)?.description;
  for (const name of ['orders', 'fundingRates'] as const) {
    expect(describe(name, 'limit')).toContain(
      'The interface names no maximum and no fixed default; here the maximum is ',
    );
    expect(describe(name, 'begin_time')).toContain('The interface does not say whether it is inclusive; here it is.');
    expect(describe(name, 'end_time')).toContain('The interface does not say whether it is inclusive; here it is not.');
  }
  expect(describe('orders', 'order')).toContain('The interface names no default; here it is newest first.');
  expect(describe('fundingRates', 'order')).toContain('newest first by default.');
  expect(describe('orders', 'day')).toContain('The interface does not define its format; here it is ');
});

test('the example of a signed text has the path of the default server before that of the interface', () => {
  const signature = document.components.securitySchemes['signature'] as { readonly description: string };
  const [server] = document.servers as { variables: { base_url: { default: string } } }[];
  const { pathname } = new URL(server?.variables.base_url.default ?? '');
  const path = Object.keys(document.paths).find((candidate) => document.paths[candidate]?.get.operationId === 'orders');
  expect(pathname).toBe('/exchange/api');
  expect(signature.description).toContain(
    `\`GET${pathname}${String(path).replace('{env}', 'prod')}?limit=100BTNL-AUTH-TIMESTAMP`,
  );
});

test('every number has a width: generated clients use 32 bits otherwise', () => {
  const widths = new Set<string>();
  JSON.stringify(document, (_, part: unknown) => {
    const { type, format } = (part ?? {}) as { readonly type?: unknown; readonly format?: unknown };
    for (const kind of [type].flat())
      if (kind === 'integer' || kind === 'number') widths.add(`${kind} ${String(format)}`);
    return part;
  });
  expect([...widths].sort()).toEqual(['integer int64', 'number double']);
});

test('titled rows are components and referenced', () => {
  expect(Object.keys(document.components.schemas)).toContain('Order');
  expect(JSON.stringify(document.paths)).not.toContain('"title"');
  expect(document.components.schemas['OrderPage']?.properties?.['data']).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/Order' },
  });
});
