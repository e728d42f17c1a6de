import type { PageEnd } from '#page/client/pages.ts';

const REASONS: Readonly<Record<PageEnd, string>> = {
  'no cursor': 'the last page has no cursor',
  'empty cursor': 'the last page has an empty cursor',
  'repeated cursor': 'the last page repeats a cursor',
  'empty page': 'the next page is empty',
};

/** Says how the end of a list was recognised; follows “All orders loaded: ”. */
export function describeEnd(end: PageEnd): string {
  return REASONS[end];
}
