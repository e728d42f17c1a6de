import { lazy } from '#page/kit/lazy.tsx';

/** Loaded only if a search finds nothing, which is rare. */
export const LazyProductProposals = lazy(async () => (await import('./product-proposals.tsx')).ProductProposals);
