/**
 * The database failed. The message is a sentence that says what happened and what to do; `cause` is the database’s own
 * error.
 */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

/** Converts an error of a database to a sentence about the store. */
export type Explain = (error: unknown) => StoreFailure;

export async function explained<T>(explain: Explain, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreFailure ? error : explain(error);
  }
}

/** Returns an error’s message; one about several addresses has none of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
