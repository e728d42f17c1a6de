import type { PageEnd } from '#api/pages.ts';

const REASONS: Readonly<Record<PageEnd, string>> = {
  'no cursor': 'its last page names no next one',
  'empty cursor': 'its last page gives an empty cursor',
  'repeated cursor': 'its last page gives a cursor it gave before',
  'empty page': 'the page after the last is empty',
};

/** Why a list ends, after “The end: ”. */
export function describeEnd(end: PageEnd): string {
  return REASONS[end];
}
