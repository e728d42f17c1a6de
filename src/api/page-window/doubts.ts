import type { CountedDeviation } from '#contract/parse.ts';
import type { Answer } from '../answer.ts';

/** What of the answers was not as the interface says. */
export interface Doubts {
  /** What tells the rows apart that are not to be believed. */
  readonly setAside: ReadonlySet<string>;
  readonly deviations: readonly CountedDeviation[];
}

export const NO_DOUBTS: Doubts = { setAside: new Set(), deviations: [] };

/** Takes note of an answer, whatever it was asked for: a row that comes again is one still. */
export function withDoubts({ setAside: known, deviations: told }: Doubts, { setAside, deviations }: Pick<Answer<unknown>, 'setAside' | 'deviations'>): Doubts {
  return {
    setAside: setAside.length === 0 ? known : new Set([...known, ...setAside.map(({ row }) => toIdentity(row))]),
    deviations: deviations.length === 0 ? told : deviations,
  };
}

/** Its id may be what is good of it. */
function toIdentity(row: unknown): string {
  const { id = null } = typeof row === 'object' && row !== null && 'id' in row ? row : {};
  return JSON.stringify(id ?? row);
}
