import type { CountedDeviation } from '#contract/parse/parse.ts';
import type { ApiResponse } from '#model/response.ts';

/** Where responses differed from the interface. */
export interface ValidationIssues {
  /** Identities of the rows that failed validation. */
  readonly setAside: ReadonlySet<string>;
  readonly deviations: readonly CountedDeviation[];
}

export const NO_ISSUES: ValidationIssues = { setAside: new Set(), deviations: [] };

/** Adds the issues of a response; a row that comes again is counted once. */
export function withIssues(
  { setAside: known, deviations: knownDeviations }: ValidationIssues,
  { setAside, deviations }: Pick<ApiResponse<unknown>, 'setAside' | 'deviations'>,
): ValidationIssues {
  return {
    setAside: setAside.length === 0 ? known : new Set([...known, ...setAside.map(({ row }) => toIdentity(row))]),
    deviations: deviations.length === 0 ? knownDeviations : deviations,
  };
}

/** By its id if it has one, else by its content. */
function toIdentity(row: unknown): string {
  const { id = null } = typeof row === 'object' && row !== null && 'id' in row ? row : {};
  return JSON.stringify(id ?? row);
}
