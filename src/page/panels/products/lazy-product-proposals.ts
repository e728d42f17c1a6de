import { lazy } from '#page/kit/lazy.tsx';

/** Loaded where nothing was found, which is rare. */
export const LazyProductProposals = lazy(async () => (await import('./product-proposals.tsx')).ProductProposals);
