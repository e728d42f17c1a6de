import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import type { LogoutRejection } from '#contract/desk/oidc.ts';
import { SignInFailure } from '#server/core/sign-in-failure.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { createFormRoute, createRedirectRoute } from './provider-routes.ts';
import type { RouteHandler, RouteResult } from './request-context.ts';

interface Served {
  readonly results: readonly RouteResult[];
  readonly post: (
    body: string,
    contentType?: string,
  ) => Promise<{
    readonly status: number | undefined;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }>;
}

/** Serves one route on a socket of its own. */
async function serve(handle: RouteHandler): Promise<Served> {
  const results: RouteResult[] = [];
  const server = createServer((request, response) => {
    const context = {
      request,
      response,
      requestId: 'id',
      startedAt: 0,
      viewer: {} as Viewer,
      url: '/',
      path: '/',
      rawQuery: '',
    };
    void Promise.resolve(handle(context)).then((result) => results.push(result));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  return {
    results,
    post: async (body, contentType = 'application/x-www-form-urlencoded') => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        send({ port, host: '127.0.0.1', method: 'POST', agent, headers: { 'content-type': contentType } }, resolve)
          .once('error', reject)
          .end(body);
      });
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    },
  };
}

it.each([
  [
    'a failure of the sign-in',
    new SignInFailure('no-role', { to: '/orders?q=p#x', cookies: ['a=b'] }),
    '/orders?q=p#sign-in-failed=no-role',
    ['a=b'],
    'not-signed-in',
  ],
  [
    'a store that cannot be written',
    new VenueFailure({ type: 'desk-cannot-write', detail: 'The disk is full.' }),
    '/#sign-in-failed=desk-failed',
    undefined,
    'desk-cannot-write',
  ],
  ['any other error', new Error('secret'), '/#sign-in-failed=desk-failed', undefined, 'desk-fault'],
])('after %s a browser goes to the sign-in screen, with a code', async (_, error, location, cookies, outcome) => {
  const { post, results } = await serve(createRedirectRoute('/sign-in', () => Promise.reject(error)));
  const { status, headers, body } = await post('');
  expect([status, headers.location, headers['set-cookie'], headers['cache-control'], body]).toEqual([
    303,
    location,
    cookies,
    'no-store',
    '',
  ]);
  expect(results).toEqual([{ endpoint: '/sign-in', status: 303, outcome, error }]);
});

it('a form is read whole, or rejected as such', async () => {
  const received: string[] = [];
  const { post, results } = await serve(
    createFormRoute(
      '/form',
      () => 0,
      (form) => {
        received.push(form.toString());
        return Promise.resolve<LogoutRejection | null>(
          form.has('bad') ? { error: 'invalid_request', error_description: 'It is bad.' } : null,
        );
      },
    ),
  );
  expect(await post('a=%C3%A4&b=2', 'application/x-www-form-urlencoded; charset=utf-8')).toMatchObject({
    status: 200,
    body: '',
  });
  expect(await post('bad=1')).toMatchObject({
    status: 400,
    body: '{"error":"invalid_request","error_description":"It is bad."}',
  });
  expect(await post(`a=${'x'.repeat(65_536)}`)).toMatchObject({
    status: 400,
    body: expect.stringContaining('A form is limited to 65536 bytes.') as string,
  });
  expect(await post('{}', 'application/json')).toMatchObject({
    status: 400,
    body: expect.stringContaining('must be a form') as string,
  });
  expect(received).toEqual(['a=%C3%A4&b=2', 'bad=1']);
  expect(results.map(({ outcome }) => outcome)).toEqual([
    'done',
    'invalid_request',
    'invalid_request',
    'invalid_request',
  ]);
});

it('an error of the desk is a problem, and forms are checked at a limited rate for an address', async () => {
  let elapsed = 0;
  const { post, results } = await serve(
    createFormRoute(
      '/form',
      () => elapsed,
      () => Promise.reject(new Error('secret')),
    ),
  );
  expect(await post('a=1')).toMatchObject({
    status: 500,
    headers: { 'content-type': 'application/problem+json' },
    body: expect.not.stringContaining('secret') as string,
  });
  for (let sent = 1; sent < 1_000; sent += 1) await post('', 'text/plain');
  expect(await post('a=1')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  elapsed = 1_000;
  expect(await post('', 'text/plain')).toMatchObject({ status: 400 });
  expect(results.at(-2)?.outcome).toBe('too-soon');
});
