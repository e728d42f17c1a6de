import { lazy } from '#ui/lazy.tsx';

export const NotAllowed = lazy(async () => (await import('./not-allowed.tsx')).NotAllowed);
