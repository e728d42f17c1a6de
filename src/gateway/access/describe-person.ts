import { SCOPE_LISTS } from '#contract/desk-access.ts';
import type { PersonRecord } from './records.ts';

/** In a sentence, which begins with what was done. */
export function describePerson({ name, roles, scope, disabled }: PersonRecord, done: string): string {
  const orders = scope.all ? 'all orders' : SCOPE_LISTS.flatMap((list) => (scope[list].length === 0 ? [] : [`orders of ${list} ${scope[list].join(', ')}`])).join(', ') || 'no orders';
  return `${done} "${name}": ${roles.length === 0 ? 'no role' : `roles ${roles.join(', ')}`}; ${orders}${disabled ? '; disabled' : ''}.`;
}

export function describeEndedSessions(count: number, name: string): string {
  return `Ended ${String(count)} ${count === 1 ? 'session' : 'sessions'} of "${name}".`;
}
