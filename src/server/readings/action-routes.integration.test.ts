import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type DeskAction, ACTION_HEADER } from '#contract/desk/actions.ts';
import { integer, shortText, text } from '#contract/exchange/fields.ts';
import { createParser } from '#contract/parse/parse.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import { row } from '#contract/exchange/schema.ts';
import { productIdGrammar } from '#contract/exchange/parameters.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createRouter } from '#server/web/router.ts';
import { createSender } from '#server/web/send-response.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER } from '#server/core/viewer.ts';
import { sendRequest, type RequestOptions } from '#testing/http-client.ts';
import { createActionRoutes } from './action-routes.ts';

const Note = row('Note', 'A note.', { title: text('Its title.'), stars: integer('How many stars.') });
const Done = row('Done', 'What was done.', { count: integer('How often.') });
const count = { grammar: productIdGrammar, description: 'How often.' };

const Greeting = row('Greeting', 'What a stranger says.', { words: shortText(5, 'In a few letters.') });

const ACTIONS = {
  greet: {
    summary: 'Greets.',
    method: 'POST',
    path: '/api/greetings',
    needs: 'nothing',
    query: {},
    required: [],
    body: Greeting,
    response: Done,
  },
  addNote: {
    summary: 'Adds a note.',
    method: 'POST',
    path: '/api/notes',
    needs: 'operations',
    query: {},
    required: [],
    body: Note,
    response: Done,
  },
  dropNotes: {
    summary: 'Drops notes.',
    method: 'DELETE',
    path: '/api/notes',
    needs: 'operations',
    query: { count },
    required: ['count'],
    body: null,
    response: Done,
  },
} as const satisfies Record<string, DeskAction>;

let done: unknown[] = [];
const server = createHttpServer({
  host: '127.0.0.1',
  port: 0,
  report: (error) => void done.push(error),
  handle: createRouter({
    routes: {
      exact: createActionRoutes(
        ACTIONS,
        {
          addNote: ({ body }) => {
            if (body.title === 'full')
              return Promise.reject(new VenueFailure({ type: 'desk-cannot-write', detail: 'The disk is full.' }));
            return Promise.resolve({ count: done.push(body) });
          },
          greet: ({ body }) => Promise.resolve({ count: done.push(body) }),
          dropNotes: ({ query }) => Promise.resolve({ count: done.push(query) }),
        },
        createSender(),
      ),
      below: { prefix: '/api', handle: () => Promise.reject(new Error('no endpoint of the exchange')) },
    },
    identify: () => Promise.resolve(LOCAL_VIEWER),
    app: (_, response) => {
      response.writeHead(404).end();
      return Promise.resolve();
    },
    now: Date.now,
    nextRequestId: () => 'r1',
    record: () => undefined,
  }),
});
const address = await server.listen();
afterAll(server.close);

beforeEach(() => {
  done = [];
});

const NOTE = { title: 'Roll the position', stars: 3 };
const toAdd = { [ACTION_HEADER]: 'addNote', 'content-type': 'application/json' };
const send = (options: Omit<RequestOptions, 'path'> & { readonly path?: string }) =>
  sendRequest(address, { path: '/api/notes', method: 'POST', ...options });
const parser = createParser(ProblemDocument);
const problemOf = ({ body }: { readonly body: Buffer }) => parser.strict(body.toString());

describe('an action', () => {
  it('is done once, with the body that was sent', async () => {
    const answer = await send({
      headers: { ...toAdd, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(NOTE),
    });
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"count":1}']);
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(done).toEqual([NOTE]);
  });

  it('without a body is done with its parameters', async () => {
    expect(
      (await send({ method: 'DELETE', path: '/api/notes?count=7', headers: { [ACTION_HEADER]: 'dropNotes' } })).status,
    ).toBe(200);
    expect(done).toEqual([{ count: '7' }]);
  });

  it('that cannot be done says why', async () => {
    const answer = await send({ headers: toAdd, body: JSON.stringify({ ...NOTE, title: 'full' }) });
    expect([answer.status, problemOf(answer).detail]).toEqual([503, 'The disk is full.']);
  });

  it.each([
    ['another method', 405, { method: 'PUT', headers: toAdd }],
    ['a read', 405, { method: 'GET', headers: toAdd }],
    ['no name', 403, { headers: { 'content-type': 'application/json' } }],
    ['the name of another action', 403, { headers: { ...toAdd, [ACTION_HEADER]: 'dropNotes' } }],
    ['a page of another site', 403, { headers: { ...toAdd, 'sec-fetch-site': 'cross-site' } }],
    ['the origin of another site', 403, { headers: { ...toAdd, origin: 'https://evil.example' } }],
    ['a body that a form can send', 415, { headers: { ...toAdd, 'content-type': 'text/plain' } }],
    ['no type', 415, { headers: { [ACTION_HEADER]: 'addNote' } }],
    ['a compressed body', 415, { headers: { ...toAdd, 'content-encoding': 'gzip' } }],
    ['no body', 400, { headers: toAdd, body: '' }],
    ['half a body', 400, { headers: toAdd, body: '{"title":' }],
    ['a body that is not UTF-8', 400, { headers: toAdd, body: Buffer.from([0x22, 0xff, 0x22]) }],
    [
      'a body that is too large',
      413,
      { headers: toAdd, body: JSON.stringify({ ...NOTE, title: 'x'.repeat(1_100_000) }) },
    ],
    [
      'a large body of unknown length',
      413,
      { headers: { ...toAdd, 'transfer-encoding': 'chunked' }, body: 'x'.repeat(1_100_000) },
    ],
    ['a parameter that it has not', 400, { headers: toAdd, path: '/api/notes?stars=1' }],
    ['too few parameters', 400, { method: 'DELETE', headers: { [ACTION_HEADER]: 'dropNotes' } }],
    [
      'a wrong parameter',
      400,
      { method: 'DELETE', path: '/api/notes?count=-1', headers: { [ACTION_HEADER]: 'dropNotes' } },
    ],
  ] as const)('is not done with %s', async (_, status, options) => {
    const answer = await send({ body: JSON.stringify(NOTE), ...options });
    expect(answer.status).toBe(status);
    expect(problemOf(answer).status).toBe(status);
    expect(done).toEqual([]);
  });

  it('names all mistakes of a body at once, and repeats nothing of it, which may be a password', async () => {
    const answer = await send({ headers: toAdd, body: '{"title":3,"stars":1.5,"colour":"red","__proto__":{"x":1}}' });
    expect(problemOf(answer)).toMatchObject({ detail: 'The body has 4 mistakes, the first at $.title.' });
    expect(problemOf(answer).errors?.map(({ path }) => path)).toEqual([
      '$.title',
      '$.stars',
      '$.colour',
      '$.__proto__',
    ]);
    expect(problemOf(answer).errors?.[0]?.detail).toBe('wrong type: expected string');
    expect(JSON.stringify(problemOf(answer))).not.toContain('red');
  });
});

it('a path says which methods it has', async () => {
  const { headers } = await send({ method: 'GET' });
  expect(headers['allow']).toBe('POST, DELETE');
});

describe('an action that needs no rights', () => {
  const greet = (words: string) =>
    send({ path: '/api/greetings', headers: { ...toAdd, [ACTION_HEADER]: 'greet' }, body: JSON.stringify({ words }) });

  it('rejects a text that is longer than its schema allows, counted in characters', async () => {
    const long = await greet('\ufdfa'.repeat(6));
    expect([long.status, problemOf(long).errors]).toEqual([
      400,
      [{ path: '$.words', detail: expect.stringContaining('expected at most 5 characters') as string }],
    ]);
    expect((await greet('\u{1f600}'.repeat(5))).status).toBe(200);
    expect(done).toEqual([{ words: '\u{1f600}'.repeat(5) }]);
  });

  it('rejects a body that is longer than a stranger needs, while others may send one as long', async () => {
    const long = 'x'.repeat(65_536);
    expect((await greet(long)).status).toBe(413);
    expect((await send({ headers: toAdd, body: JSON.stringify({ ...NOTE, title: long }) })).status).toBe(200);
  });
});
