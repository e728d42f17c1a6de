import { describe } from 'vitest';
import { newMemory } from '#testing/server-store/store-location.ts';
import { sqliteSentences, storeSuites } from '#testing/server-store/store-suites.ts';

describe('the store in memory', () => {
  storeSuites(newMemory, sqliteSentences);
});
