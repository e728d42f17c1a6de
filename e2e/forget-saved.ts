import { ACTION_HEADER } from '#contract/desk-actions.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS, type DeskSaved } from '#contract/desk-saved.ts';

/** Clears what earlier tests saved at a desk that nobody signs in to: a new browser would begin with it. */
export async function forgetSaved(baseURL: string): Promise<void> {
  const response = await fetch(new URL(SAVED_ENDPOINTS.saved.path, baseURL));
  if (!response.ok) return;
  const { person, items } = (await response.json()) as DeskSaved;
  for (const { name, text, version } of items) {
    if (text !== '') await put(baseURL, { person, name, text: '', before: version });
  }
}

async function put(baseURL: string, body: object): Promise<void> {
  const { method, path } = SAVED_ACTIONS.putSaved;
  const { ok, status } = await fetch(new URL(path, baseURL), { method, headers: { [ACTION_HEADER]: 'putSaved', 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!ok) throw new Error(`What an earlier test saved could not be cleared: status ${String(status)}.`);
}
