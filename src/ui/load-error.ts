/** Code of the page that was wanted and did not come. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** What is said of it, whatever it was: a new version of the desk has its code under other names. */
export const NOT_LOADED =
  'This could not be loaded from the desk. The page stays as it was: try it again. Where the desk was updated meanwhile, reload the page.';
