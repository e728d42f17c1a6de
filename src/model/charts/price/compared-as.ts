/** How products are compared, each in a pane of its own, from the top. */
export const COMPARED_AS = ['rebased', 'difference', 'ratio', 'basis'] as const;
export type ComparedAs = (typeof COMPARED_AS)[number];

/** The shown product and those that it is compared with. */
export const MOST_COMPARED = 5;
