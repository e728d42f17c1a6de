import { FAILURE_FRAGMENT, type SignInFailureCode } from '#contract/desk/oidc.ts';

/** Where a browser goes next, and what it keeps. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

interface FailureDetails {
  /** Page that the person wanted: once they sign in from there, it opens. */
  readonly to?: string;
  readonly cookies?: readonly string[];
  readonly cause?: unknown;
}

/** Why somebody is not signed in. Their browser gets the code only; the sentence for it is on the sign-in screen. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly redirect: Redirect;

  constructor(code: SignInFailureCode, { to = '/', cookies = [], cause }: FailureDetails = {}) {
    super(code, { cause });
    this.redirect = { location: toFailureLocation(code, to), cookies };
  }
}

/** The sign-in screen: whatever page it is, it is shown there to those who are not signed in. */
export function toFailureLocation(code: SignInFailureCode, to = '/'): string {
  return to.replace(/#.*$/, '') + FAILURE_FRAGMENT + code;
}
