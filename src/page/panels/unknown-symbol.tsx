import type { ReactNode } from 'react';
import { EmptyState } from '#page/kit/empty-state.tsx';

interface UnknownSymbolProps {
  /** As in `product`. */
  readonly noun: string;
  /** From the address; empty where the address names none. */
  readonly name: string;
  /** How many there are to choose from. */
  readonly count: number;
  /** Those that the name may mean. */
  readonly proposals?: ReactNode;
}

/** Takes the place of a screen, below the field that chooses another symbol. */
export function UnknownSymbol({ noun, name, count, proposals }: UnknownSymbolProps) {
  return (
    <EmptyState title={name === '' ? `No ${noun}s listed` : `No ${noun} “${name}”`}>
      {proposals}
      <p>
        Choose or type another {noun} above ({count} available).
      </p>
    </EmptyState>
  );
}
