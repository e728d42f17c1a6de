import { Skeleton } from '#page/panels/skeleton.tsx';
import { lazy } from '#page/kit/lazy.tsx';

const load = () => import('./filter-outcome.tsx');

/** Most visits need neither. */
export const LazyNoRows = lazy(async () => (await load()).NoRows, <Skeleton />);
export const LazyInactiveNotice = lazy(async () => (await load()).InactiveNotice);
