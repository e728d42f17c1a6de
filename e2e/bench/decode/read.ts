/** What every contender offers: the rows of an answer, or null where one of them is not as the interface says. */
export type Read = (text: string) => readonly unknown[] | null;
