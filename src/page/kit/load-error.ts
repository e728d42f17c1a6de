/** Code of the page that failed to load. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** A new version of Perpdesk has its code under other names, so an old page may ask for files that are gone. */
export const LOAD_ADVICE = 'The rest of the page works. Try again, or reload the page if Perpdesk was updated.';
