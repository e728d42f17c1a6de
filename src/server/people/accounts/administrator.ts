import { VenueFailure } from '#server/core/venue-failure.ts';
import { findExcess, unite, type Entitlement } from './entitlement.ts';
import type { PersonRecord } from './records.ts';
import type { Identity } from './viewers.ts';

/** What somebody is about to do about a person. */
type Deed =
  | { readonly kind: 'put'; readonly before: PersonRecord | undefined; readonly after: PersonRecord }
  | { readonly kind: 'invite'; readonly person: PersonRecord; readonly hasPasskeys: boolean };

/** Who changes people, and what of it they may do. */
export interface Administrator {
  readonly person: string;
  /** Throws if they may not. */
  readonly check: (deed: Deed) => void;
}

/**
 * An API token gives nobody more than it has, and leads to nobody’s access: otherwise it could do more than it says. A session
 * can, once it was confirmed lately who uses it. `mustBeRecent` throws if it was not.
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

export function mustNotBeToken(identity: Identity | null): void {
  if (identity?.way === 'token') throw notForTokens('end what gives others access');
}

function checkToken(own: Entitlement, deed: Deed): void {
  const concerned = deed.kind === 'invite' ? [deed.person] : [deed.before, deed.after];
  for (const one of concerned)
    if (one !== undefined && findExcess(one, own) !== null)
      throw notForTokens('add, change or invite a person who can do more than the token');
  // In a session, an administrator can grant what the token lacks.
  if (concerned.some((one) => one?.roles.includes('admin')))
    throw notForTokens('add, change or invite an administrator');
  if (deed.kind === 'invite' && canSignIn(deed))
    throw notForTokens('invite a person who can sign in already, since the link replaces their password');
  if (deed.kind === 'put' && (deed.before?.disabled ?? false) !== deed.after.disabled)
    throw notForTokens('disable or enable a person');
}

/** Whether it leads to somebody’s access, or grants more than one has oneself. */
function isBeyond(own: Entitlement, deed: Deed): boolean {
  if (deed.kind === 'invite') return canSignIn(deed) || findExcess(deed.person, own) !== null;
  const { before, after } = deed;
  return findExcess(after, before === undefined ? own : unite(own, before)) !== null;
}

/** Whoever has signed in once may have what is theirs here. */
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
