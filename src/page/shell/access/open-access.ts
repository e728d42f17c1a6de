import type { QueryClient } from '@tanstack/react-query';
import type { Access } from '#page/client/access.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import { API_PREFIX } from '#contract/desk/desk.ts';
import { attempt } from '#page/kit/stored-value.ts';

const AGAIN_AFTER_MS = 5_000;
/** Set where people sign in, by the code for that. */
const PERSON_KEY = 'perpdesk.person';

/**
 * Whether nobody may have to sign in: then the page is drawn before that is known. Such a Perpdesk can be reached from its
 * own machine only.
 */
export function mayBeLocal({ hostname, pathname }: Pick<Location, 'hostname' | 'pathname'>): boolean {
  return (
    /^(localhost|127\.|\[::1)/.test(hostname) &&
    pathname !== '/invitation' &&
    attempt(() => localStorage.getItem(PERSON_KEY)) === null
  );
}

/** Who signs in here, and whether anybody has to: only then is the code for that loaded. It is tried until it is known. */
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
