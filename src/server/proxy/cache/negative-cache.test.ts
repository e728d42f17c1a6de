import { expect, test } from 'vitest';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createNegativeCache } from './negative-cache.ts';

test.each([
  ['venue-unreachable', false],
  ['venue-timeout', true],
] as const)(
  'once the exchange responds to something else, a failure (%s) is remembered only if the exchange was reachable',
  (type, isRemembered) => {
    const cache = createNegativeCache(() => 0);
    cache.put('/orders/working', 'working', new VenueFailure({ type, detail: 'no' }));
    cache.succeeded('/product/specs/');
    expect(cache.find('/orders/working', 'working') !== undefined).toBe(isRemembered);
    cache.succeeded('/orders/working');
    expect(cache.find('/orders/working', 'working')).toBeUndefined();
  },
);
