import { describe } from 'vitest';
import { locationAt } from '#testing/store/store-location.ts';
import { storeSuite } from '#testing/store/store-suite.ts';

describe('the store in memory', () => {
  storeSuite(() => locationAt(':memory:'), { propertyRuns: 100 });
});
