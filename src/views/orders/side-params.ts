import { choiceParam, textParam } from '#ui/navigation/url-param.ts';

/** What stands beside the list. */
const SIDES = ['none', 'order', 'depth', 'proof'] as const;
export type Side = (typeof SIDES)[number];

export const sideParam = choiceParam('beside', SIDES, 'none');
/** The order whose details are shown, by its id. */
export const orderParam = textParam('order');
/** The product whose depth is shown, by its symbol. */
export const depthParam = textParam('depth');
