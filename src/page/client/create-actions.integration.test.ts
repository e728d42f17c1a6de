import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { integer, text } from '#contract/exchange/fields.ts';
import { PROBLEM_PREFIX } from '#contract/desk/problems.ts';
import { productIdGrammar } from '#contract/exchange/parameters.ts';
import { row } from '#contract/exchange/schema.ts';
import { createActions } from './create-actions.ts';
import { InvalidResponseError, NetworkError, ProblemError } from './errors.ts';
import { createHttpClient } from './http-client.ts';

const Done = row('Done', 'What was done.', { count: integer('How many.') });
const ACTIONS = {
  addNote: {
    summary: 'Adds a note.',
    method: 'POST',
    path: '/api/notes',
    needs: 'operations',
    query: {},
    required: [],
    body: row('Note', 'A note.', { title: text('Its title.') }),
    response: Done,
  },
  dropNote: {
    summary: 'Drops a note.',
    method: 'DELETE',
    path: '/api/notes',
    needs: 'operations',
    query: { id: { grammar: productIdGrammar, description: 'Which.' } },
    required: ['id'],
    body: null,
    response: Done,
  },
} as const;

const seen: unknown[] = [];
let answer = { status: 200, type: 'application/json', body: '{"count":1}' };

async function textOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

const server = createServer((request, response) => {
  void textOf(request).then((body) => {
    seen.push({
      method: request.method,
      url: request.url,
      action: request.headers['desk-action'],
      type: request.headers['content-type'],
      body,
    });
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
afterAll(() => server.close());

const http = createHttpClient({
  fetch: (target, init) => fetch(new URL(target, base), init),
  now: () => 0,
  timeout: (ms) => AbortSignal.timeout(ms),
});
const actions = createActions(http, ACTIONS);

beforeEach(() => {
  seen.length = 0;
  answer = { status: 200, type: 'application/json', body: '{"count":1}' };
});

it('sends an action with its name and its body, once', async () => {
  expect(await actions.addNote({ body: { title: 'Roll' } })).toEqual({ count: 1 });
  expect(seen).toEqual([
    { method: 'POST', url: '/api/notes', action: 'addNote', type: 'application/json', body: '{"title":"Roll"}' },
  ]);
});

it('sends the parameters of an action without a body', async () => {
  await actions.dropNote({ query: { id: '7' } });
  expect(seen).toEqual([{ method: 'DELETE', url: '/api/notes?id=7', action: 'dropNote', type: undefined, body: '' }]);
});

it('rejects with every mistake that the server names', async () => {
  const errors = [
    { path: '$.title', detail: 'must not be empty' },
    { path: '$.stars', detail: 'unknown' },
  ];
  answer = {
    status: 400,
    type: 'application/problem+json',
    body: JSON.stringify({
      type: `${PROBLEM_PREFIX}bad-body`,
      title: 'Invalid body',
      status: 400,
      detail: 'The body has 2 mistakes.',
      instance: 'r1',
      errors,
    }),
  };
  const failure: unknown = await actions.addNote({ body: { title: '' } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProblemError);
  expect((failure as ProblemError).document.errors).toEqual(errors);
});

it('rejects where the response is none of this action, or where there is none', async () => {
  answer = { ...answer, body: '{"many":1}' };
  await expect(actions.addNote({ body: { title: 'Roll' } })).rejects.toBeInstanceOf(InvalidResponseError);
  const unreachable = createHttpClient({
    fetch: () => Promise.reject(new TypeError('refused')),
    now: () => 0,
    timeout: (ms) => AbortSignal.timeout(ms),
  });
  await expect(createActions(unreachable, ACTIONS).addNote({ body: { title: 'Roll' } })).rejects.toBeInstanceOf(
    NetworkError,
  );
});
