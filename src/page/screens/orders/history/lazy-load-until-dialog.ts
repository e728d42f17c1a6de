import { lazyOverlay } from '#page/kit/lazy.tsx';

/** Loaded when the dialog is first opened. */
export const LazyLoadUntilDialog = lazyOverlay(async () => (await import('./load-until-dialog.tsx')).LoadUntilDialog);
