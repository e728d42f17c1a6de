import { EXPRESSION_FIELDS, type ExpressionField } from '#contract/desk/expression-fields.ts';

/** What may follow the text before the cursor. */
export interface Completion {
  /** What is shown: `order.price`. */
  readonly label: string;
  /** `number, ticks` and what it means. */
  readonly remark: string;
  /** The whole text with the proposal, and the cursor behind it. */
  readonly text: string;
  readonly cursor: number;
}

const FIELD = /(?:^|[^\w."])(order\.(\w*)|o(?:r(?:d(?:er?)?)?)?)$/;
const VALUE = /order\.(\w+)\s*[=!]=\s*("?)(\w*)$/;

/** Finds the fields and values that complete an expression at the cursor; none within a text. */
export function completeExpression(text: string, cursor: number): readonly Completion[] {
  const [before, rest] = [text.slice(0, cursor), text.slice(cursor).replace(/^\w*"?/, '')];
  return completeValue(before, rest) ?? completeField(before, rest);
}

/** Returns null if no value of a field is expected. */
function completeValue(before: string, rest: string): readonly Completion[] | null {
  const found = VALUE.exec(before);
  if (found === null) return null;
  const [, field, quote = '', begun = ''] = found;
  const { values = [], description = '' } = EXPRESSION_FIELDS.find(({ name }) => name === field) ?? {};
  const start = before.slice(0, before.length - begun.length - quote.length);
  return values
    .filter((value) => isBegun(value, begun) && `${quote}${begun}` !== `"${value}"`)
    .map((value) => toCompletion(`"${value}"`, description, start, rest));
}

function completeField(before: string, rest: string): readonly Completion[] {
  const isInText = before.split('"').length % 2 === 0;
  const found = FIELD.exec(before);
  if (isInText || (found === null && before.trim() !== '')) return [];
  const [, whole = '', begun = ''] = found ?? [];
  const start = before.slice(0, before.length - whole.length);
  return EXPRESSION_FIELDS.filter(({ name }) => isBegun(name, begun)).map((field) =>
    toCompletion(`order.${field.name}`, describe(field), start, rest),
  );
}

/** Also finds a part of a name: `filled` begins a part of `quantity_filled`. */
function isBegun(name: string, begun: string): boolean {
  return `_${name.toLowerCase()}`.includes(`_${begun.toLowerCase()}`);
}

function describe({ type, unit, isNullable, description }: ExpressionField): string {
  const kind = unit === null ? type : `${type}, ${unit}`;
  return `${kind}${isNullable ? ', may be null' : ''}. ${description}`;
}

function toCompletion(label: string, remark: string, start: string, rest: string): Completion {
  const done = `${start}${label}`;
  return { label, remark, text: `${done}${rest}`, cursor: done.length };
}
