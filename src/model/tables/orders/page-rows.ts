/** A large page costs no more of the request budget than a small one. */
export const PAGE_ROWS = 500;
