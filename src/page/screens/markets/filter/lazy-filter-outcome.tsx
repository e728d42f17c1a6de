import { Skeleton } from '#page/panels/panel-body.tsx';
import { lazy } from '#page/kit/lazy.tsx';

const load = () => import('./filter-outcome.tsx');

/** Most visits need neither of these. */
export const LazyNoRows = lazy(async () => (await load()).NoRows, <Skeleton />);
export const LazyInactiveNotice = lazy(async () => (await load()).InactiveNotice);
