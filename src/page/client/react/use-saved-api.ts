import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { createDeskHooks } from './create-desk-hooks.ts';

/** Views that people save and share, and the actions that change them. */
export const [useSavedApi, useShareAction] = createDeskHooks(SAVED_ENDPOINTS, SAVED_ACTIONS);
