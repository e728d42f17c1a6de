export const SCREENS = ['/', '/price', '/volume', '/funding', '/orders', '/status'] as const;

export type Screen = (typeof SCREENS)[number];

/** Their speed is judged; that of the others is reported. */
export const FAST: readonly Screen[] = ['/', '/price', '/volume'];

/** What one page with a chart and nothing else gets in the same rounds. */
export const CHART_ALONE = 'chart alone';

export type Audit = Screen | typeof CHART_ALONE;
