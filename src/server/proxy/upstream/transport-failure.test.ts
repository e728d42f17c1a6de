import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { TransientFailure } from './response.ts';
import { toFailure } from './transport.ts';

const withCode = (code: string): Error => Object.assign(new Error('system message'), { code });

function judge(error: unknown, began = false): readonly [type: string, detail: string, isTransient: boolean] {
  const failure = toFailure(error, began);
  if (!(failure instanceof VenueFailure)) throw failure;
  return [failure.problem.type, failure.problem.detail, failure instanceof TransientFailure];
}

describe('why the exchange was not reached', () => {
  it.each([
    ['ECONNREFUSED', /nothing is listening at its address/],
    ['ENOTFOUND', /its host name does not exist; check its address/],
    ['EAI_AGAIN', /its host name cannot be resolved/],
    ['EHOSTUNREACH', /there is no route to it/],
    ['EPROTO', /^The exchange is unreachable \(EPROTO\)\.$/],
  ])('%s is explained and transient', (code, sentence) => {
    expect(judge(withCode(code))).toEqual(['venue-unreachable', expect.stringMatching(sentence), true]);
  });

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ])('%s is about the certificate and not transient', (code) => {
    expect(judge(withCode(code))).toEqual([
      'venue-unreachable',
      expect.stringMatching(/certificate is not trusted/),
      false,
    ]);
  });

  it('of an unknown authority names the setting that helps, unlike an expired certificate', () => {
    const detailOf = (code: string) => judge(withCode(code))[1];
    expect(detailOf('SELF_SIGNED_CERT_IN_CHAIN')).toMatch(/; if its authority is your own, set DESK_CA_FILE to /);
    expect(detailOf('CERT_HAS_EXPIRED')).not.toContain('DESK_CA_FILE');
  });

  it.each([
    new errors.ConnectTimeoutError(),
    new errors.HeadersTimeoutError(),
    new errors.BodyTimeoutError(),
    new DOMException('', 'TimeoutError'),
  ])('%s is a timeout, which is not retried', (error) => {
    for (const began of [false, true])
      expect(judge(error, began)).toEqual(['venue-timeout', 'The exchange did not respond in time.', false]);
  });

  it('once the response had begun, it is unreadable', () => {
    expect(judge(withCode('ECONNRESET'), true)).toEqual([
      'venue-answer-unreadable',
      'The exchange’s response was cut off.',
      true,
    ]);
  });
});

describe('a bug', () => {
  it.each([new TypeError('x is not a function'), new errors.InvalidArgumentError('invalid header'), 'a text'])(
    '%s is not blamed on the exchange',
    (error) => {
      expect(toFailure(error, false)).toBe(error);
      expect(toFailure(error, true)).toBe(error);
    },
  );
});
