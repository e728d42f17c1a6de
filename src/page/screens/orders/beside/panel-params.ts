import { choiceParam, textParam } from '#model/format/url-param.ts';

/** The panels beside the list; `proof` is the completeness check. */
const PANELS = ['none', 'order', 'depth', 'exposure', 'proof'] as const;
export type PanelName = (typeof PANELS)[number];

export const panelParam = choiceParam('beside', PANELS, 'none');
/** The id of the order shown in the panel. */
export const orderParam = textParam('order');
/** The symbol of the product whose depth is shown. */
export const depthParam = textParam('depth');

/** How far from the market the depth chart reaches, in percent. */
const SCALES = ['5', '20', 'all'] as const;
export type DepthScale = (typeof SCALES)[number];
export const scaleParam = choiceParam('scale', SCALES, '20');
