import { cutRows, fieldOf } from '#contract/parsing/row-texts.ts';
import type { Topic } from '#contract/topics.ts';
import { describeForSome } from '../desk-api/working-orders/describe-working-set.ts';
import { maySee, type Access } from './access.ts';
import type { Reading } from './reading.ts';

/** The fields beside the rows, made for some of the rows from those of all. */
type DescribeForSome = (fields: Reading['fields'], count: number) => Reading['fields'];

/** A topic that is not listed sends no fields to those who may not see all rows. */
const DESCRIBES: Partial<Readonly<Record<Topic['endpoint'], DescribeForSome>>> = { 'desk/working': describeForSome };
const NO_FIELDS: DescribeForSome = () => new Map();

/** What a stream may be sent of a reading: nothing in it depends on rows that the stream may not see. */
export function partOf<Whole extends Reading>(whole: Whole, { account, endpoint }: Topic, access: Access): Whole {
  if (account === null || access === 'all') return whole;
  // Without rows to choose from, all of it may depend on what the stream may not see.
  if (whole.rows === null) return { ...whole, fields: NO_FIELDS(whole.fields, 0) };
  const rows = whole.rows === '' ? [] : [...cutRows(whole.rows)].filter((row) => maySee(access, fieldOf(row, account)));
  const describe = DESCRIBES[endpoint] ?? NO_FIELDS;
  return { ...whole, rows: rows.join(','), fields: describe(whole.fields, rows.length) };
}
