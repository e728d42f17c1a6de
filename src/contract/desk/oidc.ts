import { OIDC_PATHS } from './access.ts';

/** Requests by browsers and OpenID providers for signing in and out. Kept apart from what every page loads. */

/**
 * Why a sign-in at the provider failed. The browser's address contains a code from this table, never text from
 * elsewhere.
 */
export const SIGN_IN_FAILURES = {
  'refused': 'The provider did not sign the person in, or the person stopped (`access_denied`).',
  'not-begun-here': 'Its state is unknown, was used before, is older than five minutes, or belongs to another browser.',
  'provider-away': 'The provider does not respond as it should.',
  'provider-failed': 'The provider responded with an error of its own, such as `server_error`.',
  'not-trusted': 'What the provider sent cannot be trusted or understood, such as an ID token with a wrong signature.',
  'clocks-differ': 'A time in the ID token cannot be right: the clocks of the provider and of Perpdesk differ.',
  'no-role': 'None of the groups of the person has a role in this Perpdesk.',
  'desk-failed': 'Perpdesk itself failed, for example because its store cannot be written.',
  'signed-out-here-only': 'The session at Perpdesk has ended, but the provider could not be reached to end its own.',
} as const;
export type SignInFailureCode = keyof typeof SIGN_IN_FAILURES;

/** Precedes the code in the fragment of the address, which browsers never send. */
export const FAILURE_FRAGMENT = '#sign-in-failed=';

/** Where a provider reports that a person has signed out there (OpenID Connect Back-Channel Logout 1.0). */
export const BACK_CHANNEL_PATH = `${OIDC_PATHS.signOut}/back-channel`;

interface OidcParameter {
  readonly description: string;
  readonly example: string;
  readonly isRequired: boolean;
}

export interface OidcRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** In the query of a `GET`, or in the form of a `POST`. */
  readonly parameters: Readonly<Record<string, OidcParameter>>;
  /** By status. */
  readonly responses: Readonly<Record<string, string>>;
  /** Whether a page of another site may send a browser here. */
  readonly isFromElsewhere: boolean;
}

const CODES = Object.keys(SIGN_IN_FAILURES)
  .map((code) => `\`${code}\``)
  .join(', ');
const FAILS =
  'If that fails, to Perpdesk’s own sign-in screen with a code in the fragment, ' +
  `\`${FAILURE_FRAGMENT}…\`: ${CODES}.`;

export const OIDC_ROUTES = {
  beginSignIn: {
    method: 'GET',
    path: OIDC_PATHS.begin,
    summary: 'Sends a browser to the OpenID provider to sign in.',
    description:
      'With PKCE, state and nonce. The sign-in has to be completed within five minutes, in the same browser.',
    parameters: {
      to: {
        description:
          'Path and query of the page at which the sign-in ends. Anything but a page of this Perpdesk counts as `/`.',
        example: '/orders',
        isRequired: false,
      },
      prompt: {
        description: '`login` makes the provider authenticate the person again. Other values have no effect.',
        example: 'login',
        isRequired: false,
      },
    },
    responses: { '303': `To the provider. ${FAILS}` },
    isFromElsewhere: true,
  },
  finishSignIn: {
    method: 'GET',
    path: OIDC_PATHS.callback,
    summary: 'Where the provider sends the browser back: the redirect address to register there.',
    description: 'Checks the response and the ID token, and opens a session. The provider may send further parameters.',
    parameters: {
      state: {
        description: 'As sent to the provider; it can be used once.',
        example: 'b1946ac92492d2347c62',
        isRequired: true,
      },
      code: { description: 'Authorization code.', example: 'SplxlOBeZQQYbYS6WxSbIA', isRequired: false },
      iss: { description: 'Issuer (RFC 9207).', example: 'https://login.example', isRequired: false },
      error: { description: 'Why there is no code.', example: 'access_denied', isRequired: false },
    },
    responses: { '303': `To the page that was wanted. ${FAILS}` },
    isFromElsewhere: true,
  },
  signOutAtProvider: {
    method: 'GET',
    path: OIDC_PATHS.signOut,
    summary: 'Sends a browser to the OpenID provider to sign out there.',
    description:
      'The action `signOut` ends the session at Perpdesk before. The address that it returns says who signs out, so ' +
      'that the provider need not ask; this one does not.',
    parameters: {},
    responses: { '303': `To the provider, or to \`/\` where it has no address for this. ${FAILS}` },
    isFromElsewhere: false,
  },
  backChannelLogout: {
    method: 'POST',
    path: BACK_CHANNEL_PATH,
    summary: 'Ends sessions that have ended at the provider: the back-channel logout address to register there.',
    description:
      'OpenID Connect Back-Channel Logout 1.0. The logout token proves who sends it. With `sid`, the ' +
      'session with this id ends; otherwise, all sessions of the person `sub`. Open pages lose access ' +
      'within a second.',
    parameters: {
      logout_token: {
        description:
          'Logout token (JWT), signed with a key that the provider publishes. It can be used once, ' +
          'within five minutes after it was issued.',
        example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2ln',
        isRequired: true,
      },
    },
    responses: { '200': 'The sessions have ended; perhaps there were none.' },
    isFromElsewhere: false,
  },
} as const satisfies Record<string, OidcRoute>;

/** Body of a rejected logout, as specified. */
export interface LogoutRejection {
  readonly error: 'invalid_request' | 'logout_failed';
  readonly error_description: string;
}
