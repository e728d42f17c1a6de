import { lazy } from '#page/kit/lazy.tsx';

/** What there is only where people sign in. */
export const AccountMenu = lazy(async () => (await import('./account-menu.tsx')).AccountMenu);
export const NotAllowed = lazy(async () => (await import('./instead-of-screens.tsx')).NotAllowed);
export const SignedOut = lazy(async () => (await import('./instead-of-screens.tsx')).SignedOut);
