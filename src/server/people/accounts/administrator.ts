import { VenueFailure } from '#server/core/venue-failure.ts';
import { findExcess, unite, type Entitlement } from './entitlement.ts';
import type { PersonRecord } from './records.ts';
import type { Identity } from './viewers.ts';

/** An intended change of a person. */
type Deed =
  | { readonly kind: 'put'; readonly before: PersonRecord | undefined; readonly after: PersonRecord }
  | { readonly kind: 'invite'; readonly person: PersonRecord; readonly hasPasskeys: boolean };

/** The administrator who makes a change, with its limits. */
export interface Administrator {
  readonly person: string;
  /** Throws if the administrator may not do it. */
  readonly check: (deed: Deed) => void;
}

/**
 * Returns the administrator behind a request. An API token cannot grant more than it has or open a way into another
 * person's account, since it could then exceed its own rights. A session can if the person has recently confirmed their
 * identity; `mustBeRecent` throws if not.
 */
export function createAdministrator(identity: Identity, mustBeRecent: () => void): Administrator {
  return {
    person: identity.personId,
    check: (deed) => {
      if (identity.way === 'token') checkToken(identity, deed);
      else if (isBeyond(identity, deed)) mustBeRecent();
    },
  };
}

export function mustNotBeToken(identity: Identity | null, deed = 'end what gives others access'): void {
  if (identity?.way === 'token') throw notForTokens(deed);
}

function checkToken(own: Entitlement, deed: Deed): void {
  const concerned = deed.kind === 'invite' ? [deed.person] : [deed.before, deed.after];
  for (const one of concerned)
    if (one !== undefined && findExcess(one, own) !== null)
      throw notForTokens('add, change or invite a person who can do more than the token');
  // An administrator can grant in a session what the token lacks.
  if (concerned.some((one) => one?.roles.includes('admin')))
    throw notForTokens('add, change or invite an administrator');
  if (deed.kind === 'invite' && canSignIn(deed))
    throw notForTokens('invite a person who can sign in already, since the link replaces their password');
  if (deed.kind === 'put' && (deed.before?.disabled ?? false) !== deed.after.disabled)
    throw notForTokens('disable or enable a person');
}

/** Returns whether the change opens a way into another person's account, or grants more than the administrator has. */
function isBeyond(own: Entitlement, deed: Deed): boolean {
  if (deed.kind === 'invite') return canSignIn(deed) || findExcess(deed.person, own) !== null;
  const { before, after } = deed;
  return findExcess(after, before === undefined ? own : unite(own, before)) !== null;
}

/** A person who has signed in may own data here. */
function canSignIn({
  person: { password, lastSignedInAt },
  hasPasskeys,
}: Extract<Deed, { readonly kind: 'invite' }>): boolean {
  return password !== null || lastSignedInAt !== null || hasPasskeys;
}

function notForTokens(what: string): VenueFailure {
  return new VenueFailure({
    type: 'not-allowed',
    detail: `An API token cannot ${what}. Do this in a browser, on the People screen.`,
  });
}
