import { describe } from 'vitest';
import { newMemory } from '#testing/gateway-store/store-location.ts';
import { sqliteSentences, storeSuites } from '#testing/gateway-store/store-suites.ts';

describe('the store in memory', () => {
  storeSuites(newMemory, sqliteSentences);
});
