import { lazyOverlay } from '#ui/lazy.tsx';

export const LazyViewsDialog = lazyOverlay(async () => (await import('./views-dialog.tsx')).ViewsDialog);
