export const SCREENS = ['/', '/price', '/volume', '/funding', '/orders', '/status'] as const;

export type Screen = (typeof SCREENS)[number];

/** The screens whose speed is judged; that of the others is only reported. */
export const FAST: readonly Screen[] = ['/', '/price', '/volume'];

/** The result of a page with a chart and nothing else, in the same rounds. */
export const CHART_ALONE = 'chart alone';

export type Audit = Screen | typeof CHART_ALONE;
