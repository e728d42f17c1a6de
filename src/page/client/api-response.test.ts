import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toApiResponse, type ApiRequest } from './create-api.ts';
import { InvalidResponseError } from './errors.ts';
import type { RawResponse } from './http-client.ts';

const { tolerant } = createParser(ENDPOINTS.chartVoi.response);
const request = {
  endpoint: 'chartVoi',
  target: '/api/web/charts/voi',
  parse: (text) => tolerant(text),
  isPrivate: false,
} satisfies ApiRequest<unknown>;
const [good] = sampleResponses.chartVoi;

function received(body: unknown, fields: Partial<RawResponse> = {}): RawResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    text,
    answeredAt: null,
    receivedAt: 1,
    venueTime: null,
    ageSeconds: 0,
    requestId: 'r',
    tag: '"a"',
    cache: 'miss',
    freshSeconds: 9,
    staleBecause: null,
    ...fields,
  };
}

describe('toApiResponse', () => {
  it('keeps the provenance beside the rows', () => {
    expect(toApiResponse(request, received([good]))).toMatchObject({
      endpoint: 'chartVoi',
      target: '/api/web/charts/voi',
      value: [good],
      setAside: [],
      deviations: [],
      receivedAt: 1,
      freshSeconds: 9,
      cache: 'miss',
    });
  });

  it('reports deviations beside the valid rows, and sets invalid rows aside', () => {
    const response = toApiResponse(
      request,
      received([
        { ...good, mood: 'good' },
        { ...good, volume: 'many' },
      ]),
    );
    expect(response.value).toHaveLength(1);
    expect(response.setAside.map(({ index }) => index)).toEqual([1]);
    expect(response.deviations.map(({ kind, place }) => [kind, place])).toEqual([
      ['unknown field', '$[].mood'],
      ['wrong type', '$[].volume'],
    ]);
  });

  it('rejects a response that does not match, and keeps the received text', () => {
    const parse = () => toApiResponse(request, received({ error: 'maintenance' }));
    expect(parse).toThrow(InvalidResponseError);
    expect(() => toApiResponse(request, received('<html>'))).toThrow(
      expect.objectContaining({ received: '<html>' }) as Error,
    );
  });

  it('reuses the rows of an unchanged response, with the times of the new one', () => {
    const before = toApiResponse(request, received([good]));
    const after = toApiResponse(request, received([good], { receivedAt: 2, ageSeconds: 5 }), before);
    expect(after.value).toBe(before.value);
    expect([after.receivedAt, after.ageSeconds]).toEqual([2, 5]);
  });

  it('parses again where the tag is another or missing', () => {
    const before = toApiResponse(request, received([good]));
    expect(toApiResponse(request, received([], { tag: '"b"' }), before).value).toEqual([]);
    const untagged = toApiResponse(request, received([good], { tag: null }));
    expect(toApiResponse(request, received([], { tag: null }), untagged).value).toEqual([]);
  });

  it('keeps digits beyond float precision', () => {
    const text = JSON.stringify([good]).replace('2365870', '23658701234567890123');
    const [row] = toApiResponse(request, received(text)).value;
    expect(row && wireText(row, 'notionalVolume')).toBe('23658701234567890123');
  });
});
