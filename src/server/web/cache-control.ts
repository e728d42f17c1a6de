import type { Endpoint } from '#contract/exchange/endpoints.ts';

/**
 * What a browser may do with a response. Public ones it revalidates each time, so that it never shows older data than the
 * gateway has. Signed ones it must not store: a page keeps them in memory and sends their tags itself.
 */
export const CACHE_CONTROL: Readonly<Record<Endpoint['access'], string>> = {
  public: 'private, no-cache',
  signed: 'private, no-store',
};
