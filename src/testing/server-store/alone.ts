/** The lease of a desk that has its store for itself. */
export const ALONE = { isHeld: () => true, epoch: () => 0 } as const;
