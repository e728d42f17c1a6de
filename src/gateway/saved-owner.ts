import type { AccessMode } from '#contract/roles.ts';

/** Whose something saved is. People of one id, known by different modes, may be different people. */
export function toSavedOwner(mode: AccessMode, person: string): string {
  return `${mode} ${person}`;
}
