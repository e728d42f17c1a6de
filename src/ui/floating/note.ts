import type { ReactNode } from 'react';

/** What floats beside an element and explains it. */
export interface Note {
  readonly anchor: Element;
  readonly title: string;
  readonly content: ReactNode;
}
