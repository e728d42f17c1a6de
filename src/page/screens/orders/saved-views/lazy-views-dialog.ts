import { lazyOverlay } from '#page/kit/lazy.tsx';

export const LazyViewsDialog = lazyOverlay(async () => (await import('./views-dialog.tsx')).ViewsDialog);
