import type { Source } from '#model/response.ts';

/** The source of a response, for tests of figures that do not depend on it. */
export const TEST_SOURCE: Source = {
  endpoint: 'productDataAll',
  target: '/',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'miss',
  requestId: null,
};
