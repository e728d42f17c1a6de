import { describe, expect, it } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';
import { InvalidResponseError, NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';
import { presentError } from './present-error.ts';

const receivedAt = 1_000_000;
const types = Object.keys(PROBLEMS) as ProblemType[];

describe('presentError', () => {
  it.each(types)('says what happened and what to do after %s', (type) => {
    const document = { type: PROBLEM_PREFIX + type, ...PROBLEMS[type], detail: 'It went wrong.', instance: 'r1' };
    const presented = presentError(new ProblemError(document, receivedAt, 3));
    expect(presented).toMatchObject({
      title: PROBLEMS[type].title,
      detail: 'It went wrong.',
      evidence: { name: 'Technical details', text: 'Request ID r1' },
      retryAt: receivedAt + 3_000,
    });
    expect(presented.advice).toMatch(/^[A-Z].*\.$/);
  });

  it('names the product only where the exchange has nothing at the address of a product', () => {
    const adviceFor = (detail: string): string => {
      const document = { type: `${PROBLEM_PREFIX}not-found`, ...PROBLEMS['not-found'], detail, instance: 'r1' };
      return presentError(new ProblemError(document, receivedAt, null)).advice;
    };
    expect(adviceFor('The exchange has nothing at /charts/price/:product_id')).toMatch('Check the product');
    expect(adviceFor('The exchange has nothing at /orders/working: Not Found')).toMatch('environment');
  });

  it('passes on the texts of a problem that only a newer desk knows', () => {
    const document = {
      type: 'about:blank',
      status: 418,
      title: 'A teapot.',
      detail: 'Short and stout.',
      instance: 'r2',
    };
    expect(presentError(new ProblemError(document, receivedAt, null))).toMatchObject({
      kind: 'failed',
      title: 'A teapot.',
      detail: 'Short and stout.',
    });
  });

  it('distinguishes an unreachable desk, a response from elsewhere, an invalid response and a defect of the page', () => {
    const titles = [
      new NetworkError('a'),
      new UnexpectedResponseError(502, null),
      new InvalidResponseError([], 'x'),
      new TypeError('b'),
    ].map((error) => presentError(error).title);
    expect(new Set(titles).size).toBe(4);
    expect(presentError(new InvalidResponseError([], '"closed"')).evidence?.text).toBe('"closed"');
  });
});
