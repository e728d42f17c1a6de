import { lazy } from '#page/kit/lazy.tsx';

/** Loaded with the first order that is opened. */
export const LazyOrderDetail = lazy(async () => (await import('./order-detail.tsx')).OrderDetail);
