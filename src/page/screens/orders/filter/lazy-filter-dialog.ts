import { lazyOverlay } from '#page/kit/lazy.tsx';

/** The fields of every kind of column, loaded when the dialog is first opened. */
export const LazyFilterDialog = lazyOverlay(async () => (await import('./filter-dialog.tsx')).FilterDialog);
