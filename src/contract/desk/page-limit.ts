/** Reads a page with at most this many rows; undefined: the venue's default. */
type ReadPage<Page> = (limit: number | undefined) => Promise<Page>;

/** Reads a page with the largest limit that the venue accepts. */
export type PageLimit = <Page>(wanted: number, read: ReadPage<Page>) => Promise<Page>;

/** Accepted by nearly every venue. */
const MODEST = 100;

/**
 * Finds the largest accepted limit. Clause 8 leaves the maximum page size open, so venues may reject different limits.
 * After a rejection, a modest limit is tried, then none. A rejected limit is not tried again. If a limit that was
 * accepted earlier is rejected, there is another cause.
 */
export function createPageLimit(isRejection: (error: unknown) => boolean): PageLimit {
  let accepted = 0;
  let tooLarge = Infinity;
  return async (wanted, read) => {
    const limits = [wanted, MODEST].filter((limit, index) => limit < tooLarge && (index === 0 || limit < wanted));
    let rejected = tooLarge;
    for (const limit of limits) {
      try {
        const page = await read(limit);
        accepted = Math.max(accepted, limit);
        tooLarge = Math.min(tooLarge, rejected);
        return page;
      } catch (error) {
        if (!isRejection(error) || limit <= accepted) throw error;
        rejected = limit;
      }
    }
    const page = await read(undefined);
    tooLarge = Math.min(tooLarge, rejected);
    return page;
  };
}
