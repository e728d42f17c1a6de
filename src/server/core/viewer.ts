import type { IncomingMessage } from 'node:http';
import { withIncluded, type Need, type Role } from '#contract/desk/roles.ts';
import { ANYBODY, type Payer } from './ports.ts';
import type { Problem } from './venue-failure.ts';

/** Whose orders may be seen. Connections are in lower case, since the case of their digits means nothing. */
export type Scope =
  | 'all'
  | {
      readonly accounts: ReadonlySet<string>;
      readonly firms: ReadonlySet<string>;
      readonly connections: ReadonlySet<string>;
    };

/** Whose an order is. */
export interface Owner {
  readonly account: string;
  readonly firm: string;
  readonly connection: string;
}

/** Who sends a request, and what they may see. Everything that a response or stream contains is chosen by it. */
export interface Viewer {
  /** Of the person or token; empty where nobody is signed in. */
  readonly id: string;
  readonly name: string;
  /** Whose requests these are: those of a token are its person’s. Empty where nobody is signed in, or has to be. */
  readonly person: string;
  /** Whose share of the exchange’s budget their reads use: also where nobody signs in, it is one of many. */
  readonly payer: Payer;
  /** With those that they include. */
  readonly roles: ReadonlySet<Role>;
  /** Nothing but this decides whose orders are shown. */
  readonly scope: Scope;
  /** Equal for those who may see the same: what is cached for one is not shown to others. */
  readonly entitlement: string;
  /** Aborted within a second when it may no longer see this: signed out, the session over, roles or scope changed. */
  readonly ended: AbortSignal;
}

/** Finds out who sends a request; a problem rejects it. */
export type Identify = (request: IncomingMessage) => Promise<Viewer | Problem>;

/** Whoever reaches a desk that only its own machine can reach may see all that its key may. */
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

/** Why this viewer may not use what needs this; null: they may. */
export function findObstacle(viewer: Viewer, needs: Need): Problem | null {
  if (needs === 'nothing') return null;
  if (viewer.id === '') return NOBODY_SIGNED_IN;
  if (needs === 'signed in' || viewer.roles.has(needs)) return null;
  return {
    type: 'not-allowed',
    detail: `This needs the role ${needs}, which ${viewer.name} does not have. An administrator of this Perpdesk can grant it.`,
  };
}

/** Why this viewer may no longer do what they were let in for; null: they may. */
export function findEnd({ ended }: Pick<Viewer, 'ended'>): Problem | null {
  return ended.aborted
    ? {
        type: 'not-allowed',
        detail:
          'You were signed out, or what you may do was changed, while this request was under way, so nothing was changed. Reload the page.',
      }
    : null;
}

/** The one predicate: whether an order may be shown, counted or hinted at. */
export function maySee(scope: Scope, { account, firm, connection }: Owner): boolean {
  return scope === 'all' || scope.accounts.has(account) || scope.firms.has(firm) || scope.connections.has(connection);
}
