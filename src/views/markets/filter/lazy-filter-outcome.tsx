import { Skeleton } from '#panels/skeleton.tsx';
import { lazy } from '#ui/lazy.tsx';

const load = () => import('./filter-outcome.tsx');

/** Most visits need neither. */
export const LazyNoRows = lazy(async () => (await load()).NoRows, <Skeleton />);
export const LazyInactiveNotice = lazy(async () => (await load()).InactiveNotice);
