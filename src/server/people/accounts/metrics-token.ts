import type { IncomingMessage } from 'node:http';
import { withIncluded } from '#contract/desk/roles.ts';
import { ANYBODY } from '#server/core/ports.ts';
import type { Identify, Viewer } from '#server/core/viewer.ts';
import { NO_ACCOUNTS, toEntitlement, toViewing } from './entitlement.ts';
import { isSameSecret } from './secrets.ts';

const METRICS_PATH = '/metrics';

/** Lets a program with this token read the metrics, and nothing else, however people sign in. */
export interface MetricsToken {
  readonly wrap: (identify: Identify) => Identify;
  /** Null: there is none. */
  readonly change: (token: string | null) => void;
}

/** It needs no role anywhere else, since it is known on this path only. */
const METRICS_VIEWER: Viewer = {
  id: 'metrics',
  name: 'metrics',
  person: '',
  payer: ANYBODY,
  ...toViewing(toEntitlement([], NO_ACCOUNTS)),
  roles: withIncluded(['admin']),
  ended: new AbortController().signal,
};

export function createMetricsToken(first: string | null): MetricsToken {
  let token = first;
  const isRight = ({ url = '', headers: { authorization, cookie } }: IncomingMessage): boolean => {
    if (token === null || authorization === undefined || cookie !== undefined || url.split('?', 1)[0] !== METRICS_PATH)
      return false;
    const given = /^Bearer (.+)$/i.exec(authorization)?.[1];
    return given !== undefined && isSameSecret(given, token);
  };
  return {
    wrap: (identify) => (request) => (isRight(request) ? Promise.resolve(METRICS_VIEWER) : identify(request)),
    change: (next) => {
      token = next;
    },
  };
}
