import { expect, it } from 'vitest';
import { EXPRESSION_FIELDS } from '#contract/desk/expression-fields.ts';
import { completeExpression } from './complete-expression.ts';

/** `|` marks the cursor. */
function complete(marked: string): readonly string[] {
  return completeExpression(marked.replace('|', ''), marked.indexOf('|')).map(
    ({ text, cursor }) => `${text.slice(0, cursor)}|${text.slice(cursor)}`,
  );
}

it.each([
  ['order.si|', ['order.side|']],
  ['order.filled|', ['order.quantity_filled|']],
  ['order.price > 1 && order.acc|', ['order.price > 1 && order.account_id|']],
  ['order.si| == "Bid"', ['order.side| == "Bid"']],
  ['size(order.sym|) > 3', ['size(order.symbol|) > 3']],
  ['order.side == |', ['order.side == "Bid"|', 'order.side == "Ask"|']],
  ['order.side == "A|"', ['order.side == "Ask"|']],
  ['order.side != "Bid"|', []],
  ['order.account_id == "or|', []],
  ['order.price > 1|', []],
  ['border.si|', []],
])('%s', (marked, completed) => {
  expect(complete(marked)).toEqual(completed);
});

it('all fields are offered at the beginning, each with its type and unit', () => {
  const all = completeExpression('', 0);
  expect(all.map(({ label }) => label)).toEqual(EXPRESSION_FIELDS.map(({ name }) => `order.${name}`));
  expect(complete('ord|')).toHaveLength(all.length);
  const remarks = new Map(all.map(({ label, remark }) => [label, remark]));
  expect(remarks.get('order.price')).toBe('number, ticks. Limit price in ticks.');
  expect(remarks.get('order.avg_price')).toMatch(/^number, ticks, may be null\./);
  expect(remarks.get('order.time')).toMatch(/^time as text\./);
});
