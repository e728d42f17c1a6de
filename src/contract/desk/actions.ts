import { RULE_ACTIONS } from './alerts.ts';
import { callDeliveriesQuery, CallTest } from './calls.ts';
import { API_PREFIX } from './desk.ts';
import type { Parameter } from '../exchange/parameter-sets.ts';
import type { Need } from './roles.ts';
import type { TSchema } from '../exchange/schema.ts';

/** Requests that change something in Perpdesk. Nothing is ever changed at the exchange. */

/**
 * Names the action on each of these requests. A page of another site cannot send such a header without permission, which
 * nobody is given.
 */
export const ACTION_HEADER = 'desk-action';

export const ACTION_METHODS = ['POST', 'PUT', 'DELETE'] as const;

/** One request that changes something: the same path may have several, by method. */
export interface DeskAction {
  readonly summary: string;
  readonly method: (typeof ACTION_METHODS)[number];
  readonly path: string;
  /** What one needs to do it. */
  readonly needs: Need;
  readonly query: Readonly<Record<string, Parameter>>;
  /** Parameters without which it cannot be done. */
  readonly required: readonly string[];
  /** Null: it has no body. */
  readonly body: TSchema | null;
  readonly response: TSchema;
}

export const DESK_ACTIONS = {
  ...RULE_ACTIONS,
  testChannel: {
    summary:
      'Sends a test to a channel of calls, at most one every 10 seconds. A test that is delivered enables a channel that ended.',
    method: 'POST',
    needs: 'operations',
    path: `${API_PREFIX}/desk/calls/test`,
    query: { channel: callDeliveriesQuery.channel },
    required: ['channel'],
    body: null,
    response: CallTest,
  },
} as const satisfies Record<string, DeskAction>;
