import { SCOPE_LISTS } from '#contract/desk/access.ts';
import type { Entitlement } from './entitlement.ts';
import type { Revoked } from './people.ts';
import type { PersonRecord } from './records.ts';

/** In a sentence, which begins with what was done. */
export function describePerson({ name, disabled, ...granted }: PersonRecord, done: string): string {
  return `${done} "${name}": ${describeGranted(granted)}${disabled ? '; disabled' : ''}.`;
}

/** Roles and scope, as a part of a sentence. */
export function describeGranted({ roles, scope }: Entitlement): string {
  const orders = scope.all
    ? 'all orders'
    : SCOPE_LISTS.flatMap((list) =>
        scope[list].length === 0 ? [] : [`orders of ${list} ${scope[list].join(', ')}`],
      ).join(', ') || 'no orders';
  return `${roles.length === 0 ? 'no role' : `roles ${roles.join(', ')}`}; ${orders}`;
}

export function describeRevoked({ kind, name, of }: Revoked): string {
  return kind === 'tokens'
    ? `Revoked the API token "${name}" of "${of}".`
    : `Removed the passkey "${name}" of "${of}".`;
}
