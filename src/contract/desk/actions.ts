import { RULE_ACTIONS } from './alerts.ts';
import { deliveriesQuery, NotificationTest } from './notifications.ts';
import { API_PREFIX } from './desk.ts';
import type { Parameter } from '../exchange/parameters.ts';
import type { Need } from './roles.ts';
import type { TSchema } from '../exchange/schema.ts';

/** Requests that change something in Perpdesk. Nothing ever changes at the exchange. */

/**
 * Names the action of each of these requests. A page of another site could send this header only with permission, which
 * is never given.
 */
export const ACTION_HEADER = 'desk-action';

export const ACTION_METHODS = ['POST', 'PUT', 'DELETE'] as const;

/** One request that changes something. A path may have several, distinguished by method. */
export interface DeskAction {
  readonly summary: string;
  readonly method: (typeof ACTION_METHODS)[number];
  readonly path: string;
  /** What a person needs in order to do it. */
  readonly needs: Need;
  readonly query: Readonly<Record<string, Parameter>>;
  /** The required parameters. */
  readonly required: readonly string[];
  /** Null if the request has no body. */
  readonly body: TSchema | null;
  readonly response: TSchema;
}

export const DESK_ACTIONS = {
  ...RULE_ACTIONS,
  testChannel: {
    summary:
      'Sends a test notification to a channel, at most one every 10 seconds. A test that is delivered ' +
      'enables a channel that ended.',
    method: 'POST',
    needs: 'operations',
    path: `${API_PREFIX}/desk/calls/test`,
    query: { channel: deliveriesQuery.channel },
    required: ['channel'],
    body: null,
    response: NotificationTest,
  },
} as const satisfies Record<string, DeskAction>;
