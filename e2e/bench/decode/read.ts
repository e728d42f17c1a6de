/**
 * The function that every contender offers: it returns the rows of a response, or null if one of them does not match
 * the interface.
 */
export type Read = (text: string) => readonly unknown[] | null;
