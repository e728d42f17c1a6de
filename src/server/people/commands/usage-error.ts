/** A command that was not given as it can be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
