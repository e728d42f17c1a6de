import type { AccessMode } from '#contract/desk/roles.ts';

/** Whose something saved is. People of one id, known by different modes, may be different people. */
export function toSavedOwner(mode: AccessMode, person: string): string {
  return `${mode} ${person}`;
}

/** Null if the owner is a person of another mode. */
export function toSavedPerson(mode: AccessMode, owner: string): string | null {
  const start = toSavedOwner(mode, '');
  return owner.startsWith(start) ? owner.slice(start.length) : null;
}
