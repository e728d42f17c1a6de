import type { ReactNode } from 'react';
import type { GridMarks } from '#page/kit/grid/grid-props.ts';
import type { AddedColumns } from '#model/tables/orders/export-working.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import type { PastBook } from './use-book.ts';

/** What a comparison adds to the list. */
export interface Compared {
  /** The earlier one. */
  readonly book: PastBook;
  readonly marks: GridMarks;
  readonly added: AddedColumns;
  readonly counts: (list: ListControl) => ReactNode;
  /** In place of an empty list; undefined where it is the filter that hides orders. */
  readonly sameFace: (list: ListControl) => ReactNode;
}
