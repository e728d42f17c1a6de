import { useLayoutEffect } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { GridHandle } from '#ui/grid/grid-props.ts';

interface KeptFocusProps {
  readonly grid: RefObject<GridHandle | null>;
  /** Whether the keyboard was in the list when it was last taken away. */
  readonly wasInRef: RefObject<boolean>;
  readonly children: ReactNode;
}

/** A new question takes the list away until its first page is there: who was in it by keyboard is in it again then, unless they have gone elsewhere. */
export function KeptFocus({ grid, wasInRef, children }: KeptFocusProps) {
  useLayoutEffect(() => {
    if (wasInRef.current && document.activeElement === document.body) grid.current?.focus();
    wasInRef.current = false;
    return () => {
      wasInRef.current = document.activeElement?.role === 'grid';
    };
  }, [grid, wasInRef]);
  return children;
}
