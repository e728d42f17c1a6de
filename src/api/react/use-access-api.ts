import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk-access.ts';
import { createDeskHooks } from './create-desk-hooks.ts';

/** People, sessions and tokens, and what changes them, who is signed in included. */
export const [useAccessApi, useAccessAction] = createDeskHooks(ACCESS_ENDPOINTS, ACCESS_ACTIONS, ({ access }) => access.check());
