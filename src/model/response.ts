import type { CountedDeviation, DeviatingRow, RejectedRow } from '#contract/parse/parse.ts';
import type { ListChange } from '#contract/parse/row-diff.ts';
import type { Source } from './source.ts';

/** How often the gateway reads a topic, and for how many streams at once. */
export interface Cadence {
  readonly everySeconds: number;
  readonly sharedBy: number;
}

/** A parsed response: its value, its deviations from the interface, and its provenance. */
export interface ApiResponse<T> extends Source {
  /** The valid rows, or the one object. */
  readonly value: T;
  /** Invalid rows as received: shown and counted, never used in a calculation. */
  readonly setAside: readonly RejectedRow[];
  readonly deviations: readonly CountedDeviation[];
  /** All that deviate, where each does so by itself. */
  readonly deviatingRows?: readonly DeviatingRow[] | undefined;
  /** How long from its receipt the gateway will return the same again; null where it does not say. */
  readonly freshSeconds: number | null;
  /** Type of the problem that made the gateway serve a stale response; null where it is not stale. */
  readonly staleBecause: string | null;
  readonly tag: string | null;
  /** How often it is pushed; undefined for one that was requested. */
  readonly cadence?: Cadence | undefined;
  /** How its rows came about; undefined where the response was read as a whole. */
  readonly change?: ListChange<object> | undefined;
}
