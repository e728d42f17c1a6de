import type { Need } from '#contract/roles.ts';
import { EmptyState } from '#ui/empty-state.tsx';

/** In place of a screen that one may not use. */
export function NotAllowed({ name, needs }: { readonly name: string; readonly needs: Need }) {
  return (
    <EmptyState title={`You may not open ${name}`} level={1}>
      <p>
        This screen needs the role <b>{needs}</b>, which you do not have. An administrator of this Perpdesk can grant it.
      </p>
    </EmptyState>
  );
}
