import { FAILURE_FRAGMENT, type SignInFailureCode } from '#contract/desk/oidc.ts';

interface SignInFailure {
  readonly happened: string;
  readonly remedy: string;
  /** Whether the identity provider would reject the same person again, so that it should ask who signs in. */
  readonly asksAgain: boolean;
}

const OF_LOG = 'an administrator finds the reason in Perpdesk’s log.';

const FAILURES: Readonly<Record<SignInFailureCode, SignInFailure>> = {
  'refused': {
    happened: 'You were not signed in.',
    remedy:
      'The sign-in was cancelled, or your provider does not allow you to use Perpdesk. If you did not ' +
      'cancel it, contact the administrator of your provider.',
    asksAgain: false,
  },
  'not-begun-here': {
    happened: 'This sign-in can no longer be completed.',
    remedy: 'It was completed before, took longer than five minutes, or was started in another browser. Sign in again.',
    asksAgain: false,
  },
  'provider-away': {
    happened: 'Your provider does not respond.',
    remedy: `Try again in a moment. If it stays like this, ${OF_LOG}`,
    asksAgain: false,
  },
  'provider-failed': {
    happened: 'Your provider reported an error.',
    remedy: `You are not signed in. Sign in again; if it fails again, ${OF_LOG}`,
    asksAgain: false,
  },
  'not-trusted': {
    happened: 'The response of your provider cannot be trusted.',
    remedy: `You are not signed in. Sign in again; if it fails again, ${OF_LOG}`,
    asksAgain: false,
  },
  'clocks-differ': {
    happened: 'The clocks of Perpdesk and your provider differ.',
    remedy:
      'By the clock of Perpdesk, the response of your provider has expired or is not valid yet, so you ' +
      'are not signed in. An administrator has to correct one of the two clocks.',
    asksAgain: false,
  },
  'no-role': {
    happened: 'You have no role in this Perpdesk.',
    remedy: 'Your provider knows you, but none of your groups has a role here. An administrator can give it one.',
    asksAgain: true,
  },
  'desk-failed': {
    happened: 'Perpdesk failed to sign you in.',
    remedy: `Try again in a moment. If it stays like this, ${OF_LOG}`,
    asksAgain: false,
  },
  'signed-out-here-only': {
    happened: 'You are signed out of Perpdesk only.',
    remedy:
      'Your provider does not respond, so you may still be signed in there. On a shared computer, close ' +
      'all windows of the browser.',
    asksAgain: false,
  },
};

/** Returns null if the fragment is none of these codes. */
export function findFailure(fragment: string): SignInFailure | null {
  const code = fragment.startsWith(FAILURE_FRAGMENT) ? fragment.slice(FAILURE_FRAGMENT.length) : '';
  return Object.hasOwn(FAILURES, code) ? FAILURES[code as SignInFailureCode] : null;
}
