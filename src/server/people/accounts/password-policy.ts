import { VenueFailure } from '#server/core/venue-failure.ts';

const SHORTEST = 12;
/** Longer ones add no strength, and estimating them takes long. */
const LONGEST = 128;
/** Of four: below it, at most 10^8 guesses are needed. */
const LEAST_SCORE = 3;

/** Rejects a new password that is short or easily guessed. `words`: what somebody who guesses would try first. */
export async function checkNewPassword(password: string, words: readonly string[]): Promise<void> {
  const length = Array.from(password.normalize('NFKC')).length;
  if (length < SHORTEST)
    reject(
      `must have at least ${String(SHORTEST)} characters; a few unrelated words are long enough, and easy to remember`,
    );
  if (length > LONGEST) reject(`must have at most ${String(LONGEST)} characters`);
  if ((await scoreOf(password.normalize('NFKC'), words)) < LEAST_SCORE)
    reject('is easily guessed: use a few words that do not belong together, or one that a password manager creates');
}

function reject(detail: string): never {
  throw new VenueFailure({
    type: 'bad-body',
    detail: `The password ${detail}.`,
    errors: [{ path: '$.password', detail }],
  });
}

/** Its dictionaries of common passwords are large, and needed only when somebody chooses one. */
async function scoreOf(password: string, words: readonly string[]): Promise<number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(password, ['perpdesk', ...words]).score;
}
