import type { DeskAction } from './actions.ts';
import { API_PREFIX } from './desk.ts';
import { flag, instant, integer, shortText, text } from '../exchange/fields.ts';
import { pageOf } from '../exchange/paging.ts';
import { cursor, flagGrammar, type Grammar, orderLimit, type Parameter } from '../exchange/parameters.ts';
import { ACCESS_MODES, ROLES } from './roles.ts';
import { list, nullable, openEnum, optional, row, type Static } from '../exchange/schema.ts';

/** Access to Perpdesk: the signed-in person, sign-in sessions, API tokens, people, and the audit log. */

/** Carries the CSRF token of the sign-in session with each action, so that no other site can send one. */
export const FORGERY_HEADER = 'desk-forgery-token';

/** The paths at which a browser starts signing in at an OpenID provider, returns from it, and signs out there. */
export const OIDC_PATHS = {
  begin: `${API_PREFIX}/desk/sign-in/oidc`,
  callback: `${API_PREFIX}/desk/sign-in/oidc/callback`,
  signOut: `${API_PREFIX}/desk/sign-out/oidc`,
} as const;

export const SIGN_IN_WAYS = ['password', 'passkey', 'oidc', 'proxy', 'token', 'local'] as const;

/** Whose orders a person may see: all, or those that match one of the lists. */
export const AccountScope = row(
  'AccountScope',
  'Whose orders a person sees: all, or those of any of these accounts, clearing firms or connections.',
  {
    all: flag('Whether the person sees all orders. The lists are then empty.'),
    accounts: list(text('Account code.')),
    firms: list(text('Short name of the clearing firm.')),
    connections: list(text('Connection id.')),
  },
);
export type AccountScope = Static<typeof AccountScope>;

/** The lists of a scope. */
export const SCOPE_LISTS = ['accounts', 'firms', 'connections'] as const;

const entitlement = {
  roles: list(openEnum(ROLES, 'A role.')),
  scope: AccountScope,
};

const Passkey = row('Passkey', 'A passkey of a person.', {
  id: text('Its id.'),
  name: text('Name that the person gave it.'),
  created_at: instant('When it was added.'),
  last_used_at: nullable(instant('When it was last used; null if never.')),
});

const Me = row('Me', 'The person who is signed in.', {
  id: text('Id of the person.'),
  name: text('Name of the person.'),
  ...entitlement,
  way: openEnum(SIGN_IN_WAYS, 'How the person signed in.'),
  has_password: flag('Whether the person has a password.'),
  passkeys: list(Passkey),
});

/** `GET /api/desk/me`. */
export const DeskMe = row('DeskMe', 'The person who is signed in, and the ways to sign in.', {
  mode: openEnum(
    ACCESS_MODES,
    'How people sign in to this Perpdesk. local: only its own machine can reach it, without signing in.',
  ),
  me: nullable(Me),
  forgery_token: nullable(
    text(`CSRF token, to send in the header \`${FORGERY_HEADER}\` with each action; null if no one is signed in.`),
  ),
  ways: list(openEnum(SIGN_IN_WAYS, 'A way to sign in to this Perpdesk.')),
});
export type DeskMe = Static<typeof DeskMe>;

const Session = row('Session', 'A browser in which a person is signed in.', {
  id: text('Id of the session; not its secret.'),
  is_this: flag('Whether this request belongs to the session.'),
  way: openEnum(SIGN_IN_WAYS, 'How the person signed in.'),
  created_at: instant('When the person signed in.'),
  last_used_at: instant('When it was last used, to the minute.'),
  ends_at: instant('When it ends at the latest. It ends earlier if it is not used.'),
  address: text('Network address of the browser at sign-in.'),
  browser: text('Browser and system, from the `User-Agent` header, shortened; only printable characters.'),
});

/** `GET /api/desk/sessions`. */
export const DeskSessions = row('DeskSessions', 'Sessions of the person who is signed in.', {
  sessions: list(Session),
});
export type DeskSessions = Static<typeof DeskSessions>;

const Token = row('ApiToken', 'An API token for a program. Its secret is shown once, when the token is created.', {
  id: text('Id of the token.'),
  name: text('Name of the token.'),
  ...entitlement,
  created_at: instant('When it was created.'),
  expires_at: instant('When it expires.'),
  last_used_at: nullable(instant('When it was last used, to the minute; null if never.')),
});

/** `GET /api/desk/tokens`. */
export const DeskTokens = row('DeskTokens', 'API tokens of the person who is signed in.', { tokens: list(Token) });
export type DeskTokens = Static<typeof DeskTokens>;

const NewToken = row('NewApiToken', 'A new API token. Its secret is shown only in this response.', {
  token: text('Secret, to send as `Authorization: Bearer …`.'),
  id: text('Id of the token.'),
});

const ofPerson = {
  name: text('Name of the person.'),
  ...entitlement,
  disabled: flag('Whether the person is disabled: they cannot sign in until they are enabled.'),
};

const Person = row('Person', 'Someone who can sign in.', {
  id: text('Id of the person.'),
  ...ofPerson,
  has_password: flag('Whether the person has a password.'),
  passkeys: integer('Number of passkeys.'),
  tokens: integer('Number of API tokens.'),
  sessions: nullable(
    integer('Number of browsers in which the person is signed in; null with proxy: the proxy keeps the sessions.'),
  ),
  created_at: instant('When the person was added; with oidc and proxy, when they first signed in.'),
  last_signed_in_at: nullable(instant('When the person last signed in; null if never.')),
  invited_until: nullable(instant('When the invitation expires; null if there is none.')),
});
export type Person = Static<typeof Person>;

/** `GET /api/desk/people`. */
export const DeskPeople = row(
  'DeskPeople',
  'Everyone who can sign in; with oidc and proxy, everyone who has signed in and was not deleted since.',
  {
    managed: flag(
      'Whether people are managed in this Perpdesk. With oidc and proxy, they are managed at the ' +
        'provider or proxy, and DESK_GROUPS gives roles and a scope to their groups.',
    ),
    people: list(Person),
  },
);
export type DeskPeople = Static<typeof DeskPeople>;

/** `GET /api/desk/people/credentials`. */
export const DeskCredentials = row(
  'DeskCredentials',
  'What a person can use without a password: their API tokens and passkeys. With oidc and proxy, there are none.',
  { tokens: list(Token), passkeys: list(Passkey) },
);
export type DeskCredentials = Static<typeof DeskCredentials>;

export const AUDIT_KINDS = [
  'sign-in',
  'sign-in refused',
  'sign-out',
  'request refused',
  'orders read',
  'exported',
  'rule changed',
  'alert changed',
  'view shared',
  'person changed',
  'session ended',
  'token changed',
  'setting changed',
  'started',
  'unclean stop',
] as const;

const AuditEntry = row('AuditEntry', 'An entry of the audit log. Its hash covers the hash of the entry before it.', {
  number: integer('Number of the entry; consecutive, without gaps.'),
  at: instant('When it happened.'),
  kind: openEnum(AUDIT_KINDS, 'What happened.'),
  who: text('Id of the person or API token; empty if no one was signed in.'),
  name: text('Name of the person or API token; for a refused sign-in, of the person whose name was entered.'),
  address: text('Network address of the request.'),
  detail: text('Details, in a sentence.'),
  filter: text('What was read or exported, as the query of its request; empty for other entries.'),
  rows: nullable(integer('Number of rows read or exported; null for other entries.')),
  hash: text('SHA-256 of this entry and of the hash before it, in hexadecimal.'),
});
export type AuditEntry = Static<typeof AuditEntry>;

const AuditLink = row(
  'AuditLink',
  'A link of the hash chain. The anchor is the link before the oldest entry kept; the head is the newest entry.',
  {
    number: integer('Number of the entry; 0 before the first one.'),
    hash: text('Hash of the entry.'),
  },
);
/** The first and the last link of a chain of entries. */
export interface AuditEnds {
  readonly anchor: Static<typeof AuditLink>;
  readonly head: Static<typeof AuditLink>;
}

/**
 * Identifies the format of an exported audit log. The first line contains it and the ends of the chain; every other
 * line is an entry.
 */
export const AUDIT_FORMAT = 'perpdesk audit 1';

const { pagination } = pageOf(AuditEntry, 'DeskAuditPage').properties;

/** `GET /api/desk/audit`. */
export const DeskAudit = row(
  'DeskAudit',
  'The audit log, newest entries first, and where the chain of all entries begins and ends.',
  {
    entries: list(AuditEntry),
    anchor: AuditLink,
    head: AuditLink,
    pagination,
  },
);
export type DeskAudit = Static<typeof DeskAudit>;

const auditKindGrammar: Grammar = {
  name: 'kind of entry',
  sentence: `one of ${AUDIT_KINDS.join(', ')}`,
  shape: { type: 'string', enum: AUDIT_KINDS },
  example: 'exported',
  accepts: (kind) => (AUDIT_KINDS as readonly string[]).includes(kind),
};

/** A provider or proxy chooses the IDs of its people. */
const ID_PATTERN = /^[ -~\u00a0-\uffff]{1,255}$/;
const idGrammar: Grammar = {
  name: 'id',
  sentence: 'an ID: 1 to 255 characters, without control characters',
  shape: { type: 'string', pattern: ID_PATTERN.source },
  example: 'ann',
  accepts: (id) => ID_PATTERN.test(id),
};

export const auditQuery = {
  who: { grammar: idGrammar, description: 'Only entries of this person or API token.' },
  kind: { grammar: auditKindGrammar, description: 'Only entries of this kind.' },
  limit: { ...orderLimit, description: 'Entries per page, 1 to 1,000; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;

const personQuery = { id: { grammar: idGrammar, description: 'Id of the person.' } } as const;

const fields = { access: 'signed', waitsForVenue: false, keyFields: [], reuseSeconds: 5, query: {} } as const;

/** Endpoints for access, in the form of `DESK_ENDPOINTS`. */
export const ACCESS_ENDPOINTS = {
  me: { ...fields, path: `${API_PREFIX}/desk/me`, response: DeskMe, rows: 'ways' },
  sessions: { ...fields, path: `${API_PREFIX}/desk/sessions`, response: DeskSessions, rows: 'sessions' },
  tokens: { ...fields, path: `${API_PREFIX}/desk/tokens`, response: DeskTokens, rows: 'tokens' },
  people: { ...fields, path: `${API_PREFIX}/desk/people`, response: DeskPeople, rows: 'people' },
  credentials: {
    ...fields,
    path: `${API_PREFIX}/desk/people/credentials`,
    query: { person: personQuery.id },
    response: DeskCredentials,
    rows: 'tokens',
  },
  audit: { ...fields, path: `${API_PREFIX}/desk/audit`, query: auditQuery, response: DeskAudit, rows: 'entries' },
} as const;

/** Length limits for requests by strangers, above any valid length. */
const LONGEST_NAME = 64;
const LONGEST_PASSWORD = 1_024;
const LONGEST_SECRET = 2_048;
const LONGEST_RESPONSE = 16_384;

const SignIn = row('SignIn', 'A name and its password.', {
  name: shortText(LONGEST_NAME, 'Name of the person.'),
  password: shortText(LONGEST_PASSWORD, 'Password.'),
});
const Confirmation = row('Confirmation', 'The password of the person who is signed in.', {
  password: shortText(LONGEST_PASSWORD, 'Password.'),
});
const AcceptInvitation = row('AcceptInvitation', 'An invitation, and the chosen password.', {
  invitation: shortText(LONGEST_SECRET, 'Secret of the link.'),
  password: shortText(LONGEST_PASSWORD, 'Chosen password.'),
});
const ChangePassword = row('ChangePassword', 'A new password.', {
  before: text('Current password; empty if there is none.'),
  password: text('New password.'),
});
const PasskeyOptions = row(
  'PasskeyOptions',
  'What a browser needs to create or use a passkey, as JSON (WebAuthn, level 3).',
  { id: text('Id of this attempt, valid once and for five minutes.'), options: text('Options, as JSON.') },
);
const PasskeyResponse = row('PasskeyResponse', 'A browser’s response to the options.', {
  id: shortText(LONGEST_SECRET, 'Id of the attempt.'),
  name: shortText(LONGEST_NAME, 'Name for the passkey; empty at sign-in.'),
  response: shortText(LONGEST_RESPONSE, 'Response of the browser, as JSON.'),
});
const PersonBefore = row(
  'PersonBefore',
  'The person that a change replaces. If they are different by now, nothing is saved. Without it, a ' +
    'change replaces whatever there is.',
  ofPerson,
);
const PutPerson = row('PutPerson', 'A person to add or change.', {
  id: text('Id of the person; empty to add one.'),
  ...ofPerson,
  before: optional(PersonBefore),
});
const CreateToken = row('CreateToken', 'An API token to create. It cannot do more than the person who creates it.', {
  name: text('Name of the token.'),
  ...entitlement,
  expires_at: instant('When it expires, within a year.'),
});
const Invitation = row('Invitation', 'A link with which a person chooses a password, once.', {
  person: text('Id of the person.'),
  path: text('Path of the link, below the address of this Perpdesk.'),
  expires_at: instant('When it expires.'),
});
const AccessDone = row('AccessDone', 'The result of an action.', {
  count: integer('Number of people, sessions, passkeys or API tokens changed.'),
});
const SignedOut = row('SignedOut', 'The result of signing out.', {
  count: integer('Number of sessions ended.'),
  location: text('Where the browser goes next: to `/`, or to the OpenID provider, to end the session there too.'),
});
const AccessEnded = row('AccessEnded', 'What was ended.', {
  count: integer('Number of sessions that were ended.'),
  tokens: integer('Number of API tokens that were revoked.'),
  passkeys: integer('Number of passkeys that were removed.'),
});
const Exported = row('ExportedRows', 'Rows that a page saved or copied.', {
  what: text('Name of the list.'),
  filter: text('Filter of the list, as in the address of the page.'),
  count: integer('Number of rows.'),
});

const base = { query: {}, required: [], response: AccessDone } as const;
const idQuery = {
  id: { grammar: idGrammar, description: 'Id of the person, session, passkey or API token.' },
} as const;
const keepQuery = {
  keep_tokens: {
    grammar: flagGrammar,
    description: 'Whether the person keeps their API tokens; by default, they are revoked.',
  },
  keep_passkeys: {
    grammar: flagGrammar,
    description: 'Whether the person keeps their passkeys; by default, they are removed.',
  },
} as const;
const at = (path: string) => `${API_PREFIX}/desk/${path}`;

/** Actions for access, in the form of `DESK_ACTIONS`. */
export const ACCESS_ACTIONS = {
  signIn: {
    ...base,
    needs: 'nothing',
    summary: 'Signs in with a password.',
    method: 'POST',
    path: at('sign-in'),
    body: SignIn,
  },
  acceptInvitation: {
    ...base,
    needs: 'nothing',
    summary: 'Chooses a password with an invitation, and signs in.',
    method: 'POST',
    path: at('invitation'),
    body: AcceptInvitation,
  },
  beginPasskeySignIn: {
    ...base,
    needs: 'nothing',
    summary: 'Begins a sign-in with a passkey.',
    method: 'POST',
    path: at('sign-in/passkey/options'),
    body: null,
    response: PasskeyOptions,
  },
  signInWithPasskey: {
    ...base,
    needs: 'nothing',
    summary: 'Signs in with a passkey.',
    method: 'POST',
    path: at('sign-in/passkey'),
    body: PasskeyResponse,
  },
  confirmWithPassword: {
    ...base,
    needs: 'signed in',
    summary: 'Confirms with the password who is signed in, which counts as a recent sign-in for ten minutes.',
    method: 'POST',
    path: at('sign-in/confirmation'),
    body: Confirmation,
  },
  confirmWithPasskey: {
    ...base,
    needs: 'signed in',
    summary:
      'Confirms with a passkey who is signed in, which counts as a recent sign-in for ten minutes. It ' +
      'begins as a sign-in with a passkey does.',
    method: 'POST',
    path: at('sign-in/confirmation/passkey'),
    body: PasskeyResponse,
  },
  signOut: {
    ...base,
    needs: 'signed in',
    summary: 'Ends the session of this request.',
    method: 'POST',
    path: at('sign-out'),
    response: SignedOut,
    body: null,
  },
  endSession: {
    ...base,
    needs: 'signed in',
    summary: 'Ends one of your sessions.',
    method: 'DELETE',
    path: at('sessions'),
    query: idQuery,
    required: ['id'],
    body: null,
  },
  changePassword: {
    ...base,
    needs: 'signed in',
    summary:
      'Changes your password and ends your other sessions. Needs the current one or, without one, a recent sign-in.',
    method: 'PUT',
    path: at('password'),
    body: ChangePassword,
  },
  beginPasskey: {
    ...base,
    needs: 'signed in',
    summary: 'Begins to add a passkey. Needs a recent sign-in.',
    method: 'POST',
    path: at('passkeys/options'),
    body: null,
    response: PasskeyOptions,
  },
  addPasskey: {
    ...base,
    needs: 'signed in',
    summary: 'Adds a passkey.',
    method: 'POST',
    path: at('passkeys'),
    body: PasskeyResponse,
  },
  deletePasskey: {
    ...base,
    needs: 'signed in',
    summary: 'Deletes one of your passkeys.',
    method: 'DELETE',
    path: at('passkeys'),
    query: idQuery,
    required: ['id'],
    body: null,
  },
  createToken: {
    ...base,
    needs: 'signed in',
    summary: 'Creates an API token for a program. Needs a recent sign-in.',
    method: 'POST',
    path: at('tokens'),
    body: CreateToken,
    response: NewToken,
  },
  endToken: {
    ...base,
    needs: 'signed in',
    summary: 'Ends one of your API tokens.',
    method: 'DELETE',
    path: at('tokens'),
    query: idQuery,
    required: ['id'],
    body: null,
  },
  recordExport: {
    ...base,
    needs: 'signed in',
    summary: 'Records that rows were saved or copied.',
    method: 'POST',
    path: at('exports'),
    body: Exported,
  },
  putPerson: {
    ...base,
    needs: 'admin',
    summary:
      'Adds a person, or changes a person’s name, roles, scope or state. Takes effect within a second, ' +
      'also in open streams. Disabling a person ends their sessions, API tokens and passkeys for good. ' +
      'To grant more than you have yourself, you need a recent sign-in; an API token cannot grant it.',
    method: 'PUT',
    path: at('people'),
    query: keepQuery,
    body: PutPerson,
  },
  deletePerson: {
    ...base,
    needs: 'admin',
    summary:
      'Deletes a person, with their sessions, their API tokens and what they saved and shared. A person ' +
      'of a provider or proxy can come back, and then starts anew.',
    method: 'DELETE',
    path: at('people'),
    query: idQuery,
    required: ['id'],
    body: null,
  },
  invitePerson: {
    ...base,
    needs: 'admin',
    summary:
      'Creates an invitation link. Any earlier link of the person stops working. Once it is accepted, ' +
      'sessions, API tokens and passkeys of the person end. If the person can sign in already, or can do ' +
      'more than you, you need a recent sign-in; an API token cannot invite them.',
    method: 'POST',
    path: at('people/invitations'),
    query: { ...personQuery, ...keepQuery },
    required: ['id'],
    body: null,
    response: Invitation,
  },
  endSessionsOf: {
    ...base,
    needs: 'admin',
    summary:
      'Ends all sessions of a person, revokes their API tokens and removes their passkeys. API tokens cannot do this.',
    method: 'DELETE',
    path: at('people/sessions'),
    query: { ...personQuery, ...keepQuery },
    required: ['id'],
    body: null,
    response: AccessEnded,
  },
  revokeTokenOf: {
    ...base,
    needs: 'admin',
    summary: 'Revokes an API token of any person. API tokens cannot do this.',
    method: 'DELETE',
    path: at('people/tokens'),
    query: idQuery,
    required: ['id'],
    body: null,
  },
  removePasskeyOf: {
    ...base,
    needs: 'admin',
    summary: 'Removes a passkey of any person. API tokens cannot do this.',
    method: 'DELETE',
    path: at('people/passkeys'),
    query: idQuery,
    required: ['id'],
    body: null,
  },
} as const satisfies Record<string, DeskAction>;
