import { Order } from '../../../../src/contract/exchange/order.ts';
import { createParser } from '../../../../src/contract/parse/parse.ts';
import { list } from '../../../../src/contract/exchange/schema.ts';
import type { Read } from '../read.ts';

const parser = createParser(list(Order));

export const read: Read = (text) => {
  const { value, setAside } = parser.tolerant(text);
  return setAside.length === 0 ? value : null;
};
