import { splitFields } from '#contract/parse/json-split.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import type { ListStep } from '#server/core/row-list.ts';
import type { Provenance } from '#server/core/provenance.ts';

/** What was read of a topic: the response of its endpoint. */
export interface TopicResponse {
  readonly text: string;
  /** How its rows differ from those of an earlier reading, where that is known. */
  readonly step?: ListStep | undefined;
  readonly provenance?: Provenance | undefined;
  /** How many requests to the exchange it takes where nothing is cached. */
  readonly cost: number;
  /** How many it took. */
  readonly sent: number;
}

/** A response in two parts. Values are texts of JSON, as written. */
export interface Reading {
  readonly fields: ReadonlyMap<string, string>;
  /** The list of rows without its brackets; null: the response has none. */
  readonly rows: string | null;
}

/** `rowsField` holds the rows of an object; null: only a response that is a list has rows. Texts are as events can have them: on one line. */
export function toReading(text: string, rowsField: string | null): Reading {
  const whole = toLine(text).trim();
  if (whole.startsWith('[')) return { fields: new Map(), rows: whole.slice(1, -1).trim() };
  if (rowsField === null) return { fields: splitFields(whole), rows: null };
  const { fields, list } = cutAtList(whole, rowsField);
  return { fields, rows: list ?? '' };
}

/** A line break in JSON is a space. Most responses have none, which these searches find many times as fast as a pattern would. */
export function toLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}
