import { lazy } from '#page/kit/lazy.tsx';
import type { QueryClient } from '@tanstack/react-query';
import { type Access, toEntitlement } from '#page/client/access.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import { API_PREFIX } from '#contract/desk/desk.ts';
import { attempt } from '#page/kit/stored-value.ts';
import { Fragment, type ReactNode, useState } from 'react';
import { useAccess } from '#page/client/react/use-api.tsx';
import { useAddress } from '#page/kit/navigation.tsx';

/** Needed only where people sign in, so they are loaded separately. */
export const AccountMenu = lazy(async () => (await import('./account-menu.tsx')).AccountMenu);
export const NotAllowed = lazy(async () => (await import('./instead-of-screens.tsx')).NotAllowed);
const SignedOut = lazy(async () => (await import('./instead-of-screens.tsx')).SignedOut);

const AGAIN_AFTER_MS = 5_000;
/** Written by `start-access.ts`, so it is present only where people sign in. */
const PERSON_KEY = 'perpdesk.person';

/**
 * Returns whether the page may run without sign-in and is therefore drawn before the server has confirmed it. A
 * Perpdesk without sign-in can be reached only from its own machine.
 */
export function mayBeLocal({ hostname, pathname }: Pick<Location, 'hostname' | 'pathname'>): boolean {
  return (
    /^(localhost|127\.|\[::1)/.test(hostname) &&
    pathname !== '/invitation' &&
    attempt(() => localStorage.getItem(PERSON_KEY)) === null
  );
}

/**
 * Finds out whether people sign in here, and loads the code for sign-in only if they do. Retries until the server
 * responds.
 */
export async function openAccess(access: Access, http: HttpClient, client: QueryClient): Promise<void> {
  try {
    const { text } = await http.get(`${API_PREFIX}/desk/me`, { isPrivate: true, isLocal: true });
    if ((JSON.parse(text ?? '') as DeskMe).mode === 'local') return;
    const { startAccess } = await import('./start-access.ts');
    startAccess(access, http, client, text ?? '');
  } catch {
    setTimeout(() => void openAccess(access, http, client), AGAIN_AFTER_MS);
  }
}

/** Shows the screens to people who may use at least one. A change of person or of permissions remounts them. */
export function AccessGate({ children }: { readonly children: ReactNode }) {
  const desk = useAccess();
  const { path } = useAddress();
  const [before, setBefore] = useState<string | null>(null);
  if (desk === null) return children;
  const { me } = desk;
  if (me !== null && me.name !== before) setBefore(me.name);
  return me === null || me.roles.length === 0 || path === '/invitation' ? (
    <SignedOut desk={desk} before={before} />
  ) : (
    <Fragment key={toEntitlement(me)}>{children}</Fragment>
  );
}
