import { ProblemError, UnexpectedResponseError } from '../errors.ts';

/** The response; undefined where the exchange does not offer it, or not for this. Any other failure may pass, so it is thrown. */
export async function ifOffered<Response>(reading: Promise<Response>): Promise<Response | undefined> {
  try {
    return await reading;
  } catch (error) {
    const status =
      error instanceof ProblemError
        ? error.document.status
        : error instanceof UnexpectedResponseError
          ? error.status
          : null;
    if (status === 400 || status === 404) return undefined;
    throw error;
  }
}
