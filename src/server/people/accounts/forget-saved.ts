import type { AccessMode } from '#contract/desk/roles.ts';
import type { Step } from '#sql/driver.ts';
import { toSavedOwner } from '#server/core/saved-owner.ts';
import { savedItems, sharedViews } from '#server/store/tables.ts';

/** What a person saved and shared goes with them. */
export function toForgetSteps(mode: AccessMode, person: string): readonly Step[] {
  return [savedItems, sharedViews].map(({ name }) => ({
    name: `forget ${name}`,
    sql: `DELETE FROM ${name} WHERE owner = $1`,
    values: [toSavedOwner(mode, person)],
  }));
}
