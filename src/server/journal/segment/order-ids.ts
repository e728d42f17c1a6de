import { BIG_ID_PATTERN } from '#contract/exchange/ids.ts';
import { itemAt, type ContentReader, type ContentWriter } from './content.ts';
import { toExactNumber } from './value-codecs.ts';

/** Stands for an id that is among the texts; differences are counted on from here. */
const AS_TEXT = 0;

/** Ids that rise, as differences from one to the next. */
export function writeOrderIds(content: ContentWriter, ids: readonly string[]): void {
  let last = 0n;
  const texts: string[] = [];
  const differences = ids.map((id) => {
    const number = toOrderNumber(id);
    const difference = toExactNumber(number - last);
    if (difference === null || difference < 0 || String(number) !== id) {
      texts.push(id);
      last = number;
      return AS_TEXT;
    }
    last = number;
    return difference + 1;
  });
  content.numbers(differences);
  content.texts(texts);
}

export function readOrderIds(content: ContentReader): readonly string[] {
  const differences = content.numbers();
  const texts = content.texts();
  let [last, nextText] = [0n, 0];
  return Array.from(differences, (difference) => {
    const id = difference === AS_TEXT ? itemAt(texts, nextText++) : String(last + BigInt(difference - 1));
    last = toOrderNumber(id);
    return id;
  });
}

/** Zero where the id is not in the exchange's format. */
export function toOrderNumber(id: string): bigint {
  return BIG_ID_PATTERN.test(id) ? BigInt(id) : 0n;
}
