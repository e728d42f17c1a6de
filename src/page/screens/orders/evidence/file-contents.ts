import { countOf, formatCount } from '#model/format/count.ts';
import type { FileContents } from '#page/panels/evidence/evidence-offer.ts';

interface Contents {
  /** `working order`. */
  readonly noun: string;
  /** Orders in the answers, and those of them on screen. */
  readonly held: number;
  readonly shown: number;
  /** How many accounts the orders in the answers are of. */
  readonly accounts: number;
  /** The filters that the exchange applies, and those that are left to the page, a sentence each. */
  readonly asked: readonly string[];
  readonly left: readonly string[];
}

/** Which orders a file contains: answers are kept whole, so that what only the page filters by does not make them fewer. */
export function toFileContents({ noun, held, shown, accounts, asked, left }: Contents): FileContents {
  const isMore = held > shown;
  const orders = countOf(held, noun);
  const which =
    asked.length === 0
      ? `all ${orders} of ${countOf(accounts, 'account')}`
      : isMore
        ? `the ${orders} of ${countOf(accounts, 'account')} with ${quoteAll(asked)}`
        : `the ${orders} shown`;
  const rest = isMore
    ? `, not only the ${formatCount(shown)} shown: the exchange cannot filter by ${quoteAll(left)}`
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

/** Of pages of the history, of which not all need to be in memory. */
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
