import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { DESK_ACTIONS } from '#contract/desk/actions.ts';
import { createDeskHooks } from './create-desk-hooks.ts';

/** Rules and alerts, and the actions that change them. */
export const [useRulesApi, useAction] = createDeskHooks(RULE_ENDPOINTS, DESK_ACTIONS);
