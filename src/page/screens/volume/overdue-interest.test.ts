import { describe, expect, it } from 'vitest';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { toDueTimes } from '#model/time/due-times.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { describeOverdueInterest } from './overdue-interest.ts';
import type { VoiResponse } from './shared/use-voi.ts';

/** A Saturday: of perpetuals Friday’s open interest is due, of everything else Thursday’s. */
const SATURDAY = toDueTimes(Date.parse('2026-11-21T20:00:00Z'));
const [day] = sampleResponses.chartVoi;

function responseOf(date: string): VoiResponse {
  return {
    value: createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify([{ ...day, date }])).value,
  } as unknown as VoiResponse;
}

function named(name: string, type: string, product_status = 'active'): NamedProduct {
  return { name, product: { type, product_status } } as unknown as NamedProduct;
}

const [perpetual, future, expired] = [
  named('PBTC', 'perpetual'),
  named('BUSZ26', 'future'),
  named('BUSX26', 'future', 'expired'),
];

describe('the open interest of one response', () => {
  it('is overdue by the calendar of its product', () => {
    expect(describeOverdueInterest(responseOf('2026-11-19'), [perpetual], SATURDAY)).toBe(
      'The newest open interest is from 19 Nov 2026; that of 20 Nov 2026 is missing.',
    );
    expect(describeOverdueInterest(responseOf('2026-11-18'), [future], SATURDAY)).toBeNull();
    expect(describeOverdueInterest(responseOf('2026-11-17'), [future], SATURDAY)).toContain(
      'that of 19 Nov 2026 is missing.',
    );
  });

  it('is due of a total as it is of its slowest product, and not at all of expired ones', () => {
    expect(describeOverdueInterest(responseOf('2026-11-18'), [perpetual, future, expired], SATURDAY)).toBeNull();
    expect(describeOverdueInterest(responseOf('2026-01-05'), [expired], SATURDAY)).toBeNull();
  });

  it('is not judged as long as the time is unknown', () => {
    expect(describeOverdueInterest(responseOf('2026-01-05'), [perpetual], null)).toBeNull();
  });
});

it('of responses for each product, the overdue ones are named', () => {
  const perProduct = [responseOf('2026-11-20'), responseOf('2026-11-10')];
  expect(describeOverdueInterest({ value: [], perProduct }, [perpetual, future], SATURDAY)).toBe(
    'BUSZ26: the newest open interest is from 10 Nov 2026; that of 19 Nov 2026 is missing.',
  );
});
