import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/endpoints.ts';
import { toShape, type Shape } from '#contract/schema.ts';

/**
 * Writes, for every row of the interface, a plain function that checks whether a value is exactly of its shape. The page's
 * content security policy forbids making functions at run time, and a check that walks the schema row by row costs a
 * quarter of the JSON parse; written out as code it costs a thirtieth.
 */
export function writeExactChecks(): string {
  const rows = collectRows();
  const functions = rows.map(({ title, shape }) => writeCheck(title, shape));
  const entries = rows.map(({ title }) => `  ${title}: isExact${title},`);
  return [
    '// Written by `npm run generate` from the schemas of this folder.',
    '',
    "import { isDay } from './day.ts';",
    '',
    'type Fields = Readonly<Record<string, unknown>>;',
    '',
    ...COUNT_FIELDS,
    ...functions,
    '/** By the title of the row. True: exactly of that shape. False: anything else; `check.ts` finds out what. */',
    'export const exactChecks: Readonly<Record<string, (value: unknown) => boolean>> = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}

const COUNT_FIELDS = [
  '/** Unlike `Object.keys`, this allocates no list per row. */',
  'function countFields(row: Fields): number {',
  '  let count = 0;',
  '  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the fields are only counted',
  '  for (const _ in row) count++;',
  '  return count;',
  '}',
  '',
];

/** The rows of all lists and pages. Only where every field is required: then a count of the keys finds unknown fields. */
function collectRows(): { readonly title: string; readonly shape: Shape }[] {
  const rows = new Map<string, Shape>();
  for (const name of ENDPOINT_NAMES) {
    const answer = toShape(ENDPOINTS[name].response);
    const item = answer.items ?? answer.properties?.['data']?.items;
    if (item?.title !== undefined && hasOnlyRequiredFields(item)) rows.set(item.title, item);
  }
  return [...rows].map(([title, shape]) => ({ title, shape }));
}

function hasOnlyRequiredFields(shape: Shape): boolean {
  return Object.keys(shape.properties ?? {}).length === (shape.required ?? []).length;
}

function writeCheck(title: string, shape: Shape): string {
  return [
    `function isExact${title}(value: unknown): boolean {`,
    `  if (typeof value !== 'object' || value === null) return false;`,
    `  const row = value as Fields;`,
    ...writeNestedRows(shape),
    `  return (`,
    writeObject(shape, 'row').map((term) => `    ${term}`).join(' &&\n'),
    `  );`,
    `}`,
    '',
  ].join('\n');
}

/** Nested objects are bound to a name first, so that their fields can be checked. */
function writeNestedRows(shape: Shape): string[] {
  return Object.entries(shape.properties ?? {})
    .filter(([, field]) => field.type === 'object')
    .flatMap(([name]) => [
      `  const ${name} = row['${name}'] as Fields | null;`,
      `  if (typeof ${name} !== 'object' || ${name} === null) return false;`,
    ]);
}

function writeObject(shape: Shape, variable: string): string[] {
  const fields = Object.entries(shape.properties ?? {});
  return [
    ...fields.flatMap(([name, field]) =>
      field.type === 'object' ? writeObject(field, name) : [writeField(field, `${variable}['${name}']`)],
    ),
    `countFields(${variable}) === ${String(fields.length)}`,
  ];
}

function writeField(field: Shape, value: string): string {
  const types = typeof field.type === 'string' ? [field.type] : (field.type ?? []);
  const terms = field.enum ? field.enum.map((known) => `${value} === '${known}'`) : types.map((type) => writeType(type, value, field.format));
  return terms.length > 1 ? `(${terms.join(' || ')})` : terms.join('');
}

function writeType(type: string, value: string, format: string | undefined): string {
  if (type === 'null') return `${value} === null`;
  if (type === 'number') return `Number.isFinite(${value})`;
  if (type === 'integer') return `Number.isSafeInteger(${value})`;
  const isOfType = `typeof ${value} === '${type}'`;
  return format === 'date' ? `${isOfType} && isDay(${value})` : isOfType;
}
