import type { DeskAction } from './desk-actions.ts';
import { API_PREFIX } from './desk.ts';
import { flag, instant, integer, text } from './fields.ts';
import { pageOf } from './paging.ts';
import { cursor, orderLimit, type Parameter } from './parameter-sets.ts';
import { codeGrammar } from './parameters.ts';
import { ACCESS_MODES, ROLES } from './roles.ts';
import { list, nullable, openEnum, row, type Static } from './schema.ts';

/** Who uses a desk: who one is, sessions, tokens, people, and the log of what was done. */

/** Carries the token of the session with each action, so that no other site can send one. */
export const FORGERY_HEADER = 'desk-forgery-token';

/** Where a browser goes to sign in at an OpenID provider, comes back, and signs out there. */
export const OIDC_PATHS = {
  begin: `${API_PREFIX}/desk/sign-in/oidc`,
  callback: `${API_PREFIX}/desk/sign-in/oidc/callback`,
  signOut: `${API_PREFIX}/desk/sign-out/oidc`,
} as const;

export const SIGN_IN_WAYS = ['password', 'passkey', 'oidc', 'proxy', 'token', 'local'] as const;

/** Whose orders may be seen: all, or those that match one of the lists. */
export const AccountScope = row('AccountScope', 'Whose orders may be seen: all, or those of one of these accounts, clearing firms or connections.', {
  all: flag('Whether all orders may be seen; the lists are then empty.'),
  accounts: list(text('Account code.')),
  firms: list(text('Short name of the clearing firm.')),
  connections: list(text('Id of the connection.')),
});
export type AccountScope = Static<typeof AccountScope>;

const entitlement = {
  roles: list(openEnum(ROLES, 'A role.')),
  scope: AccountScope,
};

const Passkey = row('Passkey', 'A passkey of a person.', {
  id: text('Its id.'),
  name: text('What the person calls it.'),
  created_at: instant('When it was added.'),
  last_used_at: nullable(instant('When it was last used; null if never.')),
});

const Me = row('Me', 'Who is signed in.', {
  id: text('Id of the person.'),
  name: text('Name of the person.'),
  ...entitlement,
  way: openEnum(SIGN_IN_WAYS, 'How they signed in.'),
  has_password: flag('Whether they may sign in with a password.'),
  passkeys: list(Passkey),
});

/** `GET /api/desk/me`. */
export const DeskMe = row('DeskMe', 'Who is signed in, and how one signs in.', {
  mode: openEnum(ACCESS_MODES, 'How this Perpdesk knows people. local: only its own machine can reach it, and nobody signs in.'),
  me: nullable(Me),
  forgery_token: nullable(text(`To be sent as \`${FORGERY_HEADER}\` with each action; null if nobody is signed in.`)),
  ways: list(openEnum(SIGN_IN_WAYS, 'A way to sign in here.')),
});
export type DeskMe = Static<typeof DeskMe>;

const Session = row('Session', 'A browser in which one is signed in.', {
  id: text('Names the session; it is not its secret.'),
  is_this: flag('Whether it is the session of this request.'),
  way: openEnum(SIGN_IN_WAYS, 'How one signed in.'),
  created_at: instant('When one signed in.'),
  last_used_at: instant('When it was last used, to the minute.'),
  ends_at: instant('When it ends at the latest. Unused, it ends earlier.'),
  address: text('Network address of the browser when it signed in.'),
  browser: text('Browser and system, as it named itself; printable and cut.'),
});

/** `GET /api/desk/sessions`. */
export const DeskSessions = row('DeskSessions', 'Own sessions.', { sessions: list(Session) });
export type DeskSessions = Static<typeof DeskSessions>;

const Token = row('ApiToken', 'A token for a program. The token itself is shown once, when it is created.', {
  id: text('Names the token.'),
  name: text('What it is for.'),
  ...entitlement,
  created_at: instant('When it was created.'),
  expires_at: instant('When it expires.'),
  last_used_at: nullable(instant('When it was last used, to the minute; null if never.')),
});

/** `GET /api/desk/tokens`. */
export const DeskTokens = row('DeskTokens', 'Own tokens for programs.', { tokens: list(Token) });
export type DeskTokens = Static<typeof DeskTokens>;

const NewToken = row('NewApiToken', 'A token, shown this once.', { token: text('To be sent as `Authorization: Bearer …`.'), id: text('Names the token.') });

const Person = row('Person', 'Somebody who may sign in.', {
  id: text('Id of the person.'),
  name: text('Name of the person.'),
  ...entitlement,
  disabled: flag('Whether they may not sign in for now.'),
  has_password: flag('Whether they may sign in with a password.'),
  passkeys: integer('How many passkeys they have.'),
  sessions: integer('In how many browsers they are signed in.'),
  created_at: instant('When they were added.'),
  last_signed_in_at: nullable(instant('When they last signed in; null if never.')),
  invited_until: nullable(instant('Until when their invitation can be used; null if there is none.')),
});
export type Person = Static<typeof Person>;

/** `GET /api/desk/people`. */
export const DeskPeople = row('DeskPeople', 'Who may sign in.', {
  managed: flag('Whether people are kept here. With oidc and proxy, their provider says who they are and what roles they have.'),
  people: list(Person),
});
export type DeskPeople = Static<typeof DeskPeople>;

export const AUDIT_KINDS = ['sign-in', 'sign-in refused', 'sign-out', 'request refused', 'orders read', 'exported', 'rule changed', 'alert changed', 'view shared', 'person changed', 'session ended', 'token changed', 'setting changed'] as const;

const AuditEntry = row('AuditEntry', 'Something that was done. Each entry contains the hash of the one before it.', {
  number: integer('Counts up without gaps.'),
  at: instant('When it was done.'),
  kind: openEnum(AUDIT_KINDS, 'What kind of thing.'),
  who: text('Id of the person or token; empty if nobody was signed in.'),
  name: text('Name of the person or token; of a refused sign-in, that of the person whose name was given.'),
  address: text('Network address that it came from.'),
  detail: text('What exactly, in a sentence.'),
  filter: text('What was read or exported, as the query of its request; otherwise empty.'),
  rows: nullable(integer('How many rows were read or exported; null if none.')),
  hash: text('SHA-256 of this entry and of the hash before it, in hexadecimal digits.'),
});
export type AuditEntry = Static<typeof AuditEntry>;

const AuditLink = row('AuditLink', 'A place in the chain of the audit. Its anchor is before the oldest entry that is kept, its head is the newest entry.', {
  number: integer('Number of the entry; 0 before the first one.'),
  hash: text('Its hash.'),
});
/** Where a chain of entries begins and ends. */
export interface AuditEnds {
  readonly anchor: Static<typeof AuditLink>;
  readonly head: Static<typeof AuditLink>;
}

/** Names the form of a file with the audit: its first line is this and the ends of the chain, each other line an entry. */
export const AUDIT_FORMAT = 'perpdesk audit 1';

const { pagination } = pageOf(AuditEntry, 'DeskAuditPage').properties;

/** `GET /api/desk/audit`. */
export const DeskAudit = row('DeskAudit', 'What was done, the newest first, and where the chain of all entries begins and ends.', {
  entries: list(AuditEntry),
  anchor: AuditLink,
  head: AuditLink,
  pagination,
});
export type DeskAudit = Static<typeof DeskAudit>;

export const auditQuery = {
  who: { grammar: codeGrammar, description: 'Only what this person or token did.' },
  limit: { ...orderLimit, description: 'Entries per page, 1 to 1,000; 100 by default.' },
  cursor,
} as const satisfies Record<string, Parameter>;

const fields = { access: 'signed', waitsForVenue: false, keyFields: [], reuseSeconds: 5, query: {} } as const;

/** Endpoints about who uses a desk, as those of the desk. */
export const ACCESS_ENDPOINTS = {
  me: { ...fields, path: `${API_PREFIX}/desk/me`, response: DeskMe, rows: 'ways' },
  sessions: { ...fields, path: `${API_PREFIX}/desk/sessions`, response: DeskSessions, rows: 'sessions' },
  tokens: { ...fields, path: `${API_PREFIX}/desk/tokens`, response: DeskTokens, rows: 'tokens' },
  people: { ...fields, path: `${API_PREFIX}/desk/people`, response: DeskPeople, rows: 'people' },
  audit: { ...fields, path: `${API_PREFIX}/desk/audit`, query: auditQuery, response: DeskAudit, rows: 'entries' },
} as const;

const SignIn = row('SignIn', 'A name with its password.', { name: text('Name.'), password: text('Password.') });
const AcceptInvitation = row('AcceptInvitation', 'An invitation, and the password that one chooses.', { invitation: text('The secret of the link.'), password: text('Password.') });
const ChangePassword = row('ChangePassword', 'A new password.', { before: text('The present password; empty if there is none.'), password: text('The new one.') });
const PasskeyOptions = row('PasskeyOptions', 'What a browser needs to create or use a passkey, as JSON (WebAuthn, level 3).', { id: text('Names this attempt; it can be used once, for five minutes.'), options: text('The options, as JSON.') });
const PasskeyResponse = row('PasskeyResponse', 'What a browser made of the options.', { id: text('Names the attempt.'), name: text('What the person calls the passkey; empty when one signs in.'), response: text('The response, as JSON.') });
const PutPerson = row('PutPerson', 'A person to be added, or to be changed.', { id: text('Id of the person; empty to add one.'), name: text('Name.'), ...entitlement, disabled: flag('Whether they may not sign in for now.') });
const CreateToken = row('CreateToken', 'A token to be created. It may do no more than the person who creates it.', { name: text('What it is for.'), ...entitlement, expires_at: instant('When it expires, within a year.') });
const Invitation = row('Invitation', 'A link with which a person chooses a password, once.', { person: text('Id of the person.'), path: text('Path of the link at this Perpdesk.'), expires_at: instant('Until when it can be used.') });
const AccessDone = row('AccessDone', 'What was done.', { count: integer('How many people, sessions or tokens were changed.') });
const Exported = row('ExportedRows', 'What a page saved as a file or copied.', { what: text('Which list.'), filter: text('Its filter, as in the address of the page.'), count: integer('How many rows.') });

const base = { query: {}, required: [], response: AccessDone } as const;
const idQuery = { id: { grammar: codeGrammar, description: 'Its id.' } } as const;
const at = (path: string) => `${API_PREFIX}/desk/${path}`;

/** Actions about who uses a desk, as those of the desk. */
export const ACCESS_ACTIONS = {
  signIn: { ...base, needs: 'nothing', summary: 'Signs in with a password.', method: 'POST', path: at('sign-in'), body: SignIn },
  acceptInvitation: { ...base, needs: 'nothing', summary: 'Chooses a password by an invitation, and signs in.', method: 'POST', path: at('invitation'), body: AcceptInvitation },
  beginPasskeySignIn: { ...base, needs: 'nothing', summary: 'Begins to sign in with a passkey.', method: 'POST', path: at('sign-in/passkey/options'), body: null, response: PasskeyOptions },
  signInWithPasskey: { ...base, needs: 'nothing', summary: 'Signs in with a passkey.', method: 'POST', path: at('sign-in/passkey'), body: PasskeyResponse },
  signOut: { ...base, needs: 'signed in', summary: 'Ends the session of this request.', method: 'POST', path: at('sign-out'), body: null },
  endSession: { ...base, needs: 'signed in', summary: 'Ends one of one’s own sessions.', method: 'DELETE', path: at('sessions'), query: idQuery, required: ['id'], body: null },
  changePassword: { ...base, needs: 'signed in', summary: 'Changes one’s own password, and ends all other own sessions.', method: 'PUT', path: at('password'), body: ChangePassword },
  beginPasskey: { ...base, needs: 'signed in', summary: 'Begins to add a passkey.', method: 'POST', path: at('passkeys/options'), body: null, response: PasskeyOptions },
  addPasskey: { ...base, needs: 'signed in', summary: 'Adds a passkey.', method: 'POST', path: at('passkeys'), body: PasskeyResponse },
  deletePasskey: { ...base, needs: 'signed in', summary: 'Deletes one of one’s own passkeys.', method: 'DELETE', path: at('passkeys'), query: idQuery, required: ['id'], body: null },
  createToken: { ...base, needs: 'signed in', summary: 'Creates a token for a program.', method: 'POST', path: at('tokens'), body: CreateToken, response: NewToken },
  endToken: { ...base, needs: 'signed in', summary: 'Ends one of one’s own tokens.', method: 'DELETE', path: at('tokens'), query: idQuery, required: ['id'], body: null },
  recordExport: { ...base, needs: 'signed in', summary: 'Records that rows were saved or copied.', method: 'POST', path: at('exports'), body: Exported },
  putPerson: { ...base, needs: 'admin', summary: 'Adds a person, or changes name, roles and scope of one. Takes effect within a second, open streams included.', method: 'PUT', path: at('people'), body: PutPerson },
  deletePerson: { ...base, needs: 'admin', summary: 'Deletes a person with their sessions, their tokens and what they saved and shared.', method: 'DELETE', path: at('people'), query: idQuery, required: ['id'], body: null },
  invitePerson: { ...base, needs: 'admin', summary: 'Creates a link with which a person chooses a password. An earlier one can no longer be used.', method: 'POST', path: at('people/invitations'), query: idQuery, required: ['id'], body: null, response: Invitation },
  endSessionsOf: { ...base, needs: 'admin', summary: 'Ends all sessions of a person.', method: 'DELETE', path: at('people/sessions'), query: idQuery, required: ['id'], body: null },
} as const satisfies Record<string, DeskAction>;
