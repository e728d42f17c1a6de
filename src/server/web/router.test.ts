import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { withIncluded, type Role } from '#contract/desk/roles.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import { NOBODY } from '#server/people/accounts/viewers.ts';
import type { AccessLogEntry } from './request-context.ts';
import { createRouter } from './router.ts';

const withRoles = (...roles: readonly Role[]): Viewer => ({ ...LOCAL_VIEWER, roles: withIncluded(roles) });

/** Returns the result of this viewer’s request, and the endpoints that handled it. */
async function send(viewer: Viewer, url: string, method = 'GET') {
  const handled: string[] = [];
  const entries: AccessLogEntry[] = [];
  const route = createRouter({
    routes: {
      exact: {},
      below: {
        prefix: '/api',
        handle: (_, { name }) => {
          handled.push(name);
          return Promise.resolve({ endpoint: name, status: 200, outcome: 'hit' });
        },
      },
    },
    identify: () => Promise.resolve(viewer),
    app: () => {
      entries.push({ requestId: '', method, endpoint: 'app', status: 200, outcome: 'app', tookMs: 0 });
      return Promise.resolve();
    },
    now: () => 0,
    nextRequestId: () => 'r1',
    record: (entry) => entries.push(entry),
  });
  const request = { url, method, headers: {}, socket: {} } as IncomingMessage;
  await route(request, { req: request, writeHead: () => undefined, end: () => undefined } as unknown as ServerResponse);
  return [...entries.map(({ endpoint, status, outcome }) => [endpoint, status, outcome]), handled];
}

it.each(ENDPOINT_NAMES)('%s is read for those alone who may see it', async (name) => {
  const { access, path, pathParameters } = ENDPOINTS[name];
  const examples: Readonly<Record<string, { readonly grammar: { readonly example: string } }>> = pathParameters;
  const url = `/api${path.replace(/:(\w+)/g, (_, key: string) => examples[key]?.grammar.example ?? '')}`;
  const isRead = [[name, 200, 'hit'], [name]];
  const isRefused = [[name, 403, 'not-allowed'], []];
  expect(await send(withRoles('orders'), url)).toEqual(isRead);
  expect(await send(withRoles('markets'), url)).toEqual(access === 'signed' ? isRefused : isRead);
  expect(await send(withRoles('admin'), url, 'HEAD')).toEqual(access === 'signed' ? isRefused : isRead);
  expect(await send(withRoles(), url)).toEqual(isRefused);
  // A request of an unidentified sender does not count among those to the endpoint.
  expect(await send(NOBODY, url)).toEqual([['none', 401, 'not-signed-in'], []]);
  expect(await send(withRoles('orders'), url, 'POST')).toEqual([['none', 405, 'method-not-allowed'], []]);
});

it.each([
  ['/api', 'none', 404, 'not-in-the-interface'],
  ['/api/orders/', 'none', 404, 'not-in-the-interface'],
  ['/api/orders/unknown', 'none', 404, 'not-in-the-interface'],
  ['/apiorders', 'app', 200, 'app'],
  ['/API/orders', 'app', 200, 'app'],
])('%s is no endpoint of the exchange', async (url, ...entry) => {
  expect(await send(withRoles('orders'), url)).toEqual([entry, []]);
});
