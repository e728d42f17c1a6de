import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBody } from '../body.ts';
import { VenueFailure } from '../ports.ts';
import type { Headers } from './answer-headers.ts';
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

describe('JSON by its type and ends', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.venue+json', 'application/json ;q=1'])('%s is its type', (type) => {
    expect(checkJson(createBody([Buffer.from('[]')]), { ...json, 'content-type': type })).toBe('application/json');
  });

  it.each(['text/json', 'application/jsonp', 'text/html; application/json', 'application/x-ndjson', ''])('"%s" is not', (type) => {
    expect(detailOf(() => checkJson(createBody([Buffer.from('[]')]), { ...json, 'content-type': type }))).toMatch(/is not JSON but/);
  });

  it('no beginning of an answer without a length passes for it', () => {
    const value = fc.oneof(fc.array(fc.jsonValue(), { minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }));
    const unframed = { 'content-type': 'application/json' };
    fc.assert(
      fc.property(value, fc.nat(), (rows, place) => {
        const whole = Buffer.from(JSON.stringify(rows));
        const cut = whole.subarray(0, place % whole.byteLength);
        expect(checkJson(createBody([whole]), unframed)).toBe('application/json');
        expect(detailOf(() => checkJson(createBody([cut]), unframed))).toMatch(/is cut|is empty/);
      }),
    );
  });

  it.each([
    ['[}', /is cut/],
    ['{"a":1]', /is cut/],
    ['["a"', /is cut/],
    ['"a"', /though it says so/],
    ['\uFEFF[]', /though it says so/],
    ['  ', /though it says so/],
  ])('%j is none', (text, detail) => {
    expect(detailOf(() => checkJson(createBody([Buffer.from(text)]), json))).toMatch(detail);
  });
});

it('its ends are found however it is cut', () => {
  const pieces = (...texts: string[]) => createBody(texts.map((text) => Buffer.from(text)));
  expect(checkJson(pieces('\n', '[', '1', ']', ' \n'), json)).toBe('application/json');
  expect(detailOf(() => checkJson(pieces('[', '1', '\n'), json))).toMatch(/is cut/);
});
