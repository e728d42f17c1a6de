/** Asks for a page of at most so many rows; undefined: of as many as the venue gives by itself. */
type AskForPage<Answer> = (limit: number | undefined) => Promise<Answer>;

/** Finds out how many rows a page may have. */
export type PageLimit = <Answer>(wanted: number, ask: AskForPage<Answer>) => Promise<Answer>;

/** Few venues refuse so many. */
const MODEST = 100;

/**
 * Clause 8 leaves open how large a page may be: a venue may refuse one that another gives. Then a modest one is asked for,
 * and at last one without a limit; what was too much once is not asked for again. Once so many rows were given, a refusal
 * is about something else.
 */
export function createPageLimit(isRefusal: (error: unknown) => boolean): PageLimit {
  let given = 0;
  let tooMany = Infinity;
  return async (wanted, ask) => {
    const limits = [wanted, MODEST].filter((limit, index) => limit < tooMany && (index === 0 || limit < wanted));
    let refused = tooMany;
    for (const limit of limits) {
      try {
        const answer = await ask(limit);
        given = Math.max(given, limit);
        tooMany = Math.min(tooMany, refused);
        return answer;
      } catch (error) {
        if (!isRefusal(error) || limit <= given) throw error;
        refused = limit;
      }
    }
    const answer = await ask(undefined);
    tooMany = Math.min(tooMany, refused);
    return answer;
  };
}
