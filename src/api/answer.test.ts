import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/endpoints.ts';
import { wireText } from '#contract/json-text.ts';
import { createParser } from '#contract/parse.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { toAnswer, type Question } from './answer.ts';
import { UnreadableAnswerError } from './errors.ts';
import type { TextAnswer } from './http-client.ts';

const { tolerant } = createParser(ENDPOINTS.chartVoi.response);
const question = { endpoint: 'chartVoi', target: '/api/web/charts/voi', read: tolerant, isPrivate: false } satisfies Question<unknown>;
const [good] = wireAnswers.chartVoi;

function received(body: unknown, fields: Partial<TextAnswer> = {}): TextAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { text, answeredAt: null, receivedAt: 1, ageSeconds: 0, requestId: 'r', tag: '"a"', cache: 'venue', freshSeconds: 9, staleBecause: null, ...fields };
}

describe('toAnswer', () => {
  it('keeps the proof beside the rows', () => {
    expect(toAnswer(question, received([good]))).toMatchObject({
      endpoint: 'chartVoi',
      target: '/api/web/charts/voi',
      value: [good],
      setAside: [],
      deviations: [],
      receivedAt: 1,
      freshSeconds: 9,
      cache: 'venue',
    });
  });

  it('shows drift beside the good rows, and sets aside what is not to be believed', () => {
    const answer = toAnswer(question, received([{ ...good, mood: 'good' }, { ...good, volume: 'many' }]));
    expect(answer.value).toHaveLength(1);
    expect(answer.setAside.map(({ index }) => index)).toEqual([1]);
    expect(answer.deviations.map(({ kind, place }) => [kind, place])).toEqual([['unknown field', '$[].mood'], ['wrong type', '$[].volume']]);
  });

  it('fails on another shape, and keeps what came', () => {
    const read = () => toAnswer(question, received({ error: 'maintenance' }));
    expect(read).toThrow(UnreadableAnswerError);
    expect(() => toAnswer(question, received('<html>'))).toThrow(expect.objectContaining({ received: '<html>' }) as Error);
  });

  it('uses the rows again where nothing has changed, with the times of the new answer', () => {
    const before = toAnswer(question, received([good]));
    const after = toAnswer(question, received([good], { receivedAt: 2, ageSeconds: 5 }), before);
    expect(after.value).toBe(before.value);
    expect([after.receivedAt, after.ageSeconds]).toEqual([2, 5]);
  });

  it('reads anew what has another tag or none', () => {
    const before = toAnswer(question, received([good]));
    expect(toAnswer(question, received([], { tag: '"b"' }), before).value).toEqual([]);
    const untagged = toAnswer(question, received([good], { tag: null }));
    expect(toAnswer(question, received([], { tag: null }), untagged).value).toEqual([]);
  });

  it('keeps the digits that a float would lose', () => {
    const text = JSON.stringify([good]).replace('2365870', '23658701234567890123');
    const [row] = toAnswer(question, received(text)).value;
    expect(row && wireText(row, 'notionalVolume')).toBe('23658701234567890123');
  });
});
