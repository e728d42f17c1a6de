import { countOf, formatCount } from '#model/format/count.ts';
import type { FileContents } from '#page/panels/evidence/make-evidence.ts';

interface Contents {
  /** The word for a row, such as `working order`. */
  readonly noun: string;
  /** The number of orders in the responses, and of those on screen. */
  readonly held: number;
  readonly shown: number;
  /** The number of accounts that own the orders in the responses. */
  readonly accounts: number;
  /** Who applies the filters of requests. */
  readonly by: 'the exchange' | 'the journal';
  /** The filters that requests have, and those left to the page, one sentence each. */
  readonly asked: readonly string[];
  readonly left: readonly string[];
}

/**
 * Describes which orders an evidence file contains. Responses are kept whole, so filters of the page do not reduce
 * them.
 */
export function toFileContents({ noun, held, shown, accounts, by, asked, left }: Contents): FileContents {
  const isMore = held > shown;
  const orders = countOf(held, noun);
  const which =
    asked.length === 0
      ? `all ${orders} of ${countOf(accounts, 'account')}`
      : isMore
        ? `the ${orders} of ${countOf(accounts, 'account')} with ${quoteAll(asked)}`
        : `the ${orders} shown`;
  const rest = isMore
    ? `, not only the ${formatCount(shown)} shown: ${by} cannot filter by ${quoteAll(left)}`
    : asked.length > 0
      ? ', and no others'
      : '';
  return {
    describe: (pseudonyms) =>
      held === 0 ? `The file contains no ${noun}s.` : `The file contains ${which}, with ${toCodes(pseudonyms)}${rest}.`,
    unshown: isMore ? countOf(held - shown, 'order') : null,
  };
}

function quoteAll(sentences: readonly string[]): string {
  return sentences.map((sentence) => `“${sentence}”`).join(' and ');
}

/** Describes a file made of history pages, not all of which need be in memory. */
export function toPagesContents({
  orders,
  pages,
  left,
}: {
  readonly orders: number;
  readonly pages: number;
  readonly left: readonly string[];
}): FileContents {
  const which = `all ${countOf(orders, 'order')} of ${pages === 1 ? 'this page' : `these ${countOf(pages, 'page')}`}`;
  const rest = left.length === 0 ? '' : `, not only those that match: the exchange cannot filter by ${quoteAll(left)}`;
  return {
    describe: (pseudonyms) => `The file contains ${which}, with ${toCodes(pseudonyms)}${rest}.`,
    unshown: left.length === 0 ? null : 'orders',
  };
}

function toCodes(pseudonyms: boolean): string {
  return pseudonyms ? 'pseudonyms in place of account codes' : 'account codes';
}
