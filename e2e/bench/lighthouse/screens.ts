export const SCREENS = ['/', '/price', '/volume', '/funding', '/orders', '/status'] as const;

export type Screen = (typeof SCREENS)[number];

/** Their speed is judged; of the others it is told. */
export const FAST: readonly Screen[] = ['/', '/price', '/volume'];

/** What one page with a chart and nothing else gets in the same rounds. */
export const CHART_ALONE = 'chart alone';

export type Audit = Screen | typeof CHART_ALONE;
