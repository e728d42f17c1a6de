import { describe } from 'vitest';
import { placeAt } from '#testing/store/place.ts';
import { storeSuite } from '#testing/store/store-suite.ts';

describe('the store in memory', () => {
  storeSuite(() => Promise.resolve(placeAt(':memory:')), { propertyRuns: 100 });
});
