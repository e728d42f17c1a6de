import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { createDeskHooks } from './create-desk-hooks.ts';

/** What people save and share, and what changes it. */
export const [useSavedApi, useShareAction] = createDeskHooks(SAVED_ENDPOINTS, SAVED_ACTIONS);
