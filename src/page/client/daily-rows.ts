/** One page, which has room for every perpetual of most exchanges. */
export const FUNDING_ROWS = 100;
