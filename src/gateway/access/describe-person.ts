import type { PersonRecord } from './records.ts';

/** In a sentence, which begins with what was done. */
export function describePerson({ name, roles, scope, disabled }: PersonRecord, done: string): string {
  const lists = [['accounts', scope.accounts], ['firms', scope.firms], ['connections', scope.connections]] as const;
  const orders = scope.all ? 'all orders' : lists.flatMap(([list, codes]) => (codes.length === 0 ? [] : [`orders of ${list} ${codes.join(', ')}`])).join(', ') || 'no orders';
  return `${done} "${name}": ${roles.length === 0 ? 'no role' : `roles ${roles.join(', ')}`}; ${orders}${disabled ? '; disabled' : ''}.`;
}

export function describeEndedSessions(count: number, name: string): string {
  return `Ended ${String(count)} ${count === 1 ? 'session' : 'sessions'} of "${name}".`;
}
