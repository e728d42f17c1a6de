import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { VenueFailure } from '../ports.ts';
import { PassingFailure } from './passing-failure.ts';
import { toFailure } from './transport-failure.ts';

const withCode = (code: string): Error => Object.assign(new Error('as the system says it'), { code });

function judge(error: unknown, began = false): readonly [type: string, detail: string, mayPass: boolean] {
  const failure = toFailure(error, began);
  if (!(failure instanceof VenueFailure)) throw failure;
  return [failure.problem.type, failure.problem.detail, failure instanceof PassingFailure];
}

describe('why the venue was not reached', () => {
  it.each([
    ['ECONNREFUSED', /nothing listens at its address/],
    ['ENOTFOUND', /its name is not known; check its address/],
    ['EAI_AGAIN', /its name cannot be looked up/],
    ['EHOSTUNREACH', /no way leads there/],
    ['EPROTO', /^The venue cannot be reached \(EPROTO\)\.$/],
  ])('%s is said so that a person can act, and may pass', (code, sentence) => {
    expect(judge(withCode(code))).toEqual(['venue-unreachable', expect.stringMatching(sentence), true]);
  });

  it.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])(
    '%s is about the certificate, and does not pass by itself',
    (code) => {
      expect(judge(withCode(code))).toEqual(['venue-unreachable', expect.stringMatching(/certificate cannot be trusted/), false]);
    },
  );

  it.each([new errors.ConnectTimeoutError(), new errors.HeadersTimeoutError(), new errors.BodyTimeoutError(), new DOMException('', 'TimeoutError')])('%s is a timeout, which is not asked for again', (error) => {
    for (const began of [false, true]) expect(judge(error, began)).toEqual(['venue-timeout', 'The venue did not answer in time.', false]);
  });

  it('is that the answer is broken once it had begun', () => {
    expect(judge(withCode('ECONNRESET'), true)).toEqual(['venue-answer-unreadable', 'The venue’s answer broke off before its end.', true]);
  });
});

describe('a mistake of our own', () => {
  it.each([new TypeError('x is not a function'), new errors.InvalidArgumentError('invalid header'), 'a text'])('%s is not laid at the venue’s door', (error) => {
    expect(toFailure(error, false)).toBe(error);
    expect(toFailure(error, true)).toBe(error);
  });
});
