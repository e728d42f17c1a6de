/** Where a browser goes next, and what it keeps. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** Why somebody is not signed in, for them to read. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly status: number;

  constructor(status: number, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.status = status;
  }
}
