import { describe, expect, it } from 'vitest';
import { responds } from './behaviours.ts';
import { openFault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const html = '<html><body>Please log in</body></html>';

describe('a response that is not JSON', () => {
  it.each([
    [
      'a page',
      { headers: { 'content-type': 'text/html; charset=utf-8' }, body: html },
      /is not JSON: its content type is text\/html; charset=utf-8\.$/,
    ],
    ['without a content type', { headers: { 'content-type': null } }, /is not JSON: its content type is missing/],
    [
      'of a similar content type',
      { headers: { 'content-type': 'application/jsonp' } },
      /is not JSON: its content type is application\/jsonp/,
    ],
    ['a page declared as JSON', { body: html }, /claims to be JSON but is not/],
    ['a text', { body: 'ok' }, /claims to be JSON but is not/],
    ['two kinds of brackets', { body: '[{"a":1}' }, /is truncated/],
    ['in an unsupported encoding', { headers: { 'content-encoding': 'zstd' } }, /unsupported content encoding/],
  ])('%s is a problem after three attempts', async (_, answering, detail) => {
    const fault = await openFault();
    const behaviour = responds(answering);
    fault.venue.does(behaviour, behaviour, behaviour);
    expectProblem(await fault.send(), { type: 'venue-answer-unreadable', detail });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectRecovered();
  });

  it('is quoted with a short content type in plain characters', async () => {
    const fault = await openFault();
    const behaviour = responds({ headers: { 'content-type': `text/\u00e9vil<script>${'x'.repeat(1_000)}` } });
    fault.venue.does(behaviour, behaviour, behaviour);
    const answer = await fault.send();
    const { detail } = JSON.parse(answer.body.toString()) as { readonly detail: string };
    expect(detail.replaceAll('’', "'")).toMatch(/^[\x20-\x7e]{1,260}$/);
    await fault.expectRecovered();
  });
});

describe('JSON that does not match the schema', () => {
  it.each(['{"surprise":true}', '[]', '{}', '[1,null,"x"]'])(
    '%s is passed on unchanged: the browser checks it',
    async (body) => {
      const fault = await openFault();
      fault.venue.does(responds({ body, headers: { 'content-type': 'application/vnd.venue+json;charset=utf-8' } }));
      const answer = await fault.send();
      expect({ status: answer.status, type: answer.headers['content-type'], body: answer.body.toString() }).toEqual({
        status: 200,
        type: 'application/json',
        body,
      });
      await fault.expectRecovered();
    },
  );
});
