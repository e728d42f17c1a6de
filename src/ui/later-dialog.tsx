import { laterOver } from './later.tsx';

/** A dialog whose code comes when it is first opened: holding the keyboard in a window weighs more than a screen does. */
export const LaterDialog = laterOver(async () => (await import('./dialog.tsx')).Dialog);
