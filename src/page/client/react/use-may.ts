import type { Need } from '#contract/desk/roles.ts';
import { may } from '../access.ts';
import { useAccess } from './use-access.ts';

/** Whether who uses this page may open what needs this: no link leads anywhere else. */
export function useMay(needs: Need): boolean {
  return may(useAccess(), needs);
}
