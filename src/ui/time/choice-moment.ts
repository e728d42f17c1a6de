/** What was read at the moment of a choice. */
export interface ChoiceMoment<T> {
  readonly choice: string;
  readonly value: T;
}

/** The same as before while the choice stands; read anew with another. */
export function atChoice<T>(before: ChoiceMoment<T> | null, choice: string, read: () => T): ChoiceMoment<T> {
  return before?.choice === choice ? before : { choice, value: read() };
}
