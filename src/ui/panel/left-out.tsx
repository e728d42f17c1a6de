import { countOf } from '#domain/format-count.ts';

/** Says of rows that are shown how many others came with them and could not be believed. */
export function LeftOut({ count }: { readonly count: number }) {
  return count === 0 ? null : (
    <span>
      {countOf(count, 'row')} of the venue could not be believed and {count === 1 ? 'is' : 'are'} left out.
    </span>
  );
}
