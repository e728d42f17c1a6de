import type { APIRequestContext } from '@playwright/test';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS, type DeskSaved } from '#contract/desk/saved.ts';

/** Clears what earlier tests saved on a server without sign-in: a new browser would start with it. */
export async function forgetSaved(request: APIRequestContext): Promise<void> {
  const response = await request.get(SAVED_ENDPOINTS.saved.path);
  // With sign-in, or on a page of the kit alone, nothing is saved without a person.
  if (!response.ok() || response.headers()['content-type']?.startsWith('application/json') !== true) return;
  const { person, items } = (await response.json()) as DeskSaved;
  for (const { name, text, version } of items) {
    if (text !== '') await put(request, { person, name, text: '', before: version });
  }
}

async function put(request: APIRequestContext, data: object): Promise<void> {
  const { method, path } = SAVED_ACTIONS.putSaved;
  const response = await request.fetch(path, { method, headers: { [ACTION_HEADER]: 'putSaved' }, data });
  if (!response.ok())
    throw new Error(`What an earlier test saved could not be cleared: status ${String(response.status())}.`);
}
