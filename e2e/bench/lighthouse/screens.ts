export const SCREENS = ['/', '/price', '/volume', '/funding', '/orders', '/status'] as const;

export type Screen = (typeof SCREENS)[number];

/** Their speed is judged; of the others it is told. */
export const FAST: readonly Screen[] = ['/', '/price', '/volume'];
