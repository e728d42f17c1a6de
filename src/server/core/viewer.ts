import type { IncomingMessage } from 'node:http';
import { type AccessMode, type Need, type Role, withIncluded } from '#contract/desk/roles.ts';
import { ANYBODY, type Payer } from './ports.ts';
import type { Problem } from './venue-failure.ts';

/** The owners whose orders may be seen. Connections are in lower case, since the case of their digits means nothing. */
export type Scope =
  | 'all'
  | {
      readonly accounts: ReadonlySet<string>;
      readonly firms: ReadonlySet<string>;
      readonly connections: ReadonlySet<string>;
    };

/** The codes of an order’s owner. */
export interface Owner {
  readonly account: string;
  readonly firm: string;
  readonly connection: string;
}

/** The sender of a request, and what they may see. This alone decides what a response or stream contains. */
export interface Viewer {
  /** The ID of the person or token; empty without sign-in. */
  readonly id: string;
  readonly name: string;
  /** The person behind the request; for a token, its owner. Empty without sign-in. */
  readonly person: string;
  /** Whose share of the exchange’s budget their reads use. Browsers have their own even without sign-in. */
  readonly payer: Payer;
  /** Including the roles that others imply. */
  readonly roles: ReadonlySet<Role>;
  /** This alone decides whose orders are shown. */
  readonly scope: Scope;
  /** Equal for viewers who may see the same: what is cached for one is not shown to others. */
  readonly entitlement: string;
  /**
   * Aborted within a second when the viewer may no longer see this: signed out, sign-in session expired, roles or scope
   * changed.
   */
  readonly ended: AbortSignal;
}

/** Identifies the sender of a request; a problem rejects it. */
export type Identify = (request: IncomingMessage) => Promise<Viewer | Problem>;

/** The viewer of a server that only its own machine can reach: they may see all that the key may. */
export const LOCAL_VIEWER: Viewer = {
  id: 'local',
  name: 'this machine',
  person: '',
  payer: ANYBODY,
  roles: withIncluded(['operations', 'admin']),
  scope: 'all',
  entitlement: 'all',
  ended: new AbortController().signal,
};

const NOBODY_SIGNED_IN: Problem = {
  type: 'not-signed-in',
  detail: 'You are not signed in. Sign in to this Perpdesk first.',
};

/** Returns why a viewer may not use something that has this need; null if they may. */
export function findObstacle(viewer: Viewer, needs: Need): Problem | null {
  if (needs === 'nothing') return null;
  if (viewer.id === '') return NOBODY_SIGNED_IN;
  if (needs === 'signed in' || viewer.roles.has(needs)) return null;
  return {
    type: 'not-allowed',
    detail:
      `This needs the role ${needs}, which ${viewer.name} does not have. An administrator of this ` +
      'Perpdesk can grant it.',
  };
}

/** Returns why a viewer may no longer finish the request; null if they may. */
export function findEnd({ ended }: Pick<Viewer, 'ended'>): Problem | null {
  return ended.aborted
    ? {
        type: 'not-allowed',
        detail:
          'You were signed out, or what you may do was changed, while this request was under way, so ' +
          'nothing was changed. Reload the page.',
      }
    : null;
}

/** Decides alone whether an order may be shown, counted or hinted at. */
export function maySee(scope: Scope, { account, firm, connection }: Owner): boolean {
  return scope === 'all' || scope.accounts.has(account) || scope.firms.has(firm) || scope.connections.has(connection);
}

/** Whether a request changes nothing. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the owner of saved items. The same ID may mean different people in different modes. */
export function toSavedOwner(mode: AccessMode, person: string): string {
  return `${mode} ${person}`;
}

/** Returns null if the owner is a person of another mode. */
export function toSavedPerson(mode: AccessMode, owner: string): string | null {
  const start = toSavedOwner(mode, '');
  return owner.startsWith(start) ? owner.slice(start.length) : null;
}
