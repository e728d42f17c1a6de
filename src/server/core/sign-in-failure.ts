import { FAILURE_FRAGMENT, type SignInFailureCode } from '#contract/desk/oidc.ts';

/** Where a browser goes next, and which cookies it gets. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

interface FailureDetails {
  /** The page that the person wanted, which opens after they sign in from there. */
  readonly to?: string;
  readonly cookies?: readonly string[];
  readonly cause?: unknown;
}

/** Why a person is not signed in. Their browser only gets the code; the sentence for it is on the sign-in screen. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly redirect: Redirect;

  constructor(code: SignInFailureCode, { to = '/', cookies = [], cause }: FailureDetails = {}) {
    super(code, { cause });
    this.redirect = { location: toFailureLocation(code, to), cookies };
  }
}

/** Returns the address of the sign-in screen, which every page shows to people who are not signed in. */
export function toFailureLocation(code: SignInFailureCode, to = '/'): string {
  return to.replace(/#.*$/, '') + FAILURE_FRAGMENT + code;
}
