import { lazy } from '#ui/lazy.tsx';

export const AccountMenu = lazy(async () => (await import('./account-menu.tsx')).AccountMenu);
