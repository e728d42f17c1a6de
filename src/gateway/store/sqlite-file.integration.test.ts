import { describe } from 'vitest';
import { newFile } from '#testing/gateway-store/store-location.ts';
import { sqliteSentences, storeSuites } from '#testing/gateway-store/store-suites.ts';

describe('the store in a file', () => {
  storeSuites(newFile, sqliteSentences);
});
