import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBody } from '#server/core/body.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Headers } from './response-headers.ts';
import { checkJson } from './check-json.ts';

const json: Headers = { 'content-type': 'application/json', 'content-length': '2' };

function detailOf(check: () => unknown): string {
  try {
    check();
    return 'none';
  } catch (error) {
    return error instanceof VenueFailure ? error.message : String(error);
  }
}

describe('a JSON response', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/vnd.venue+json',
    'application/json ;q=1',
  ])('accepts the content type %s', (type) => {
    expect(checkJson(createBody([Buffer.from('[]')]), { ...json, 'content-type': type })).toBe('application/json');
  });

  it.each(['text/json', 'application/jsonp', 'text/html; application/json', 'application/x-ndjson', ''])(
    'rejects the content type "%s"',
    (type) => {
      expect(detailOf(() => checkJson(createBody([Buffer.from('[]')]), { ...json, 'content-type': type }))).toMatch(
        /is not JSON: its content type is/,
      );
    },
  );

  it('rejects every truncation of a response without a length', () => {
    const value = fc.oneof(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
    );
    const unframed = { 'content-type': 'application/json' };
    fc.assert(
      fc.property(value, fc.nat(), (rows, place) => {
        const whole = Buffer.from(JSON.stringify(rows));
        const cut = whole.subarray(0, place % whole.byteLength);
        expect(checkJson(createBody([whole]), unframed)).toBe('application/json');
        expect(detailOf(() => checkJson(createBody([cut]), unframed))).toMatch(/is truncated|is empty/);
      }),
    );
  });

  it.each([
    ['[}', /is truncated/],
    ['{"a":1]', /is truncated/],
    ['["a"', /is truncated/],
    ['"a"', /claims to be JSON/],
    ['\uFEFF[]', /claims to be JSON/],
    ['  ', /claims to be JSON/],
  ])('rejects the body %j', (text, detail) => {
    expect(detailOf(() => checkJson(createBody([Buffer.from(text)]), json))).toMatch(detail);
  });
});

it('the first and last bytes are found however the body is cut into pieces', () => {
  const pieces = (...texts: string[]) => createBody(texts.map((text) => Buffer.from(text)));
  expect(checkJson(pieces('\n', '[', '1', ']', ' \n'), json)).toBe('application/json');
  expect(detailOf(() => checkJson(pieces('[', '1', '\n'), json))).toMatch(/is truncated/);
});
