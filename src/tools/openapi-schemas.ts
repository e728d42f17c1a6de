import type { JsonType, Shape } from '#contract/exchange/schema.ts';

/** Builds the document's JSON Schema. A titled row is a component, and is referenced elsewhere. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: Shape['type'];
  readonly anyOf?: readonly DocumentSchema[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly items?: DocumentSchema;
}

/** Returns all titled rows of the shapes, at any depth, by title. */
export function collectRows(shapes: readonly Shape[]): Record<string, DocumentSchema> {
  const rows = new Map<string, { readonly shape: Shape; readonly schema: DocumentSchema }>();
  for (const shape of shapes) collect(shape);
  return Object.fromEntries([...rows].map(([title, { schema }]) => [title, schema]));

  function collect(shape: Shape): void {
    if (shape.title !== undefined) add(shape.title, withoutNull(shape));
    for (const part of partsOf(shape)) collect(part);
  }

  function add(title: string, shape: Shape): void {
    const known = rows.get(title);
    if (known && JSON.stringify(known.shape) !== JSON.stringify(shape))
      throw new Error(`Two different rows have the title ${title}.`);
    rows.set(title, { shape, schema: expand(shape) });
  }
}

/** Returns a reference to a titled row, or the shape with references to its rows. */
export function toReference(shape: Shape): DocumentSchema {
  if (shape.title === undefined) return expand(shape);
  const reference = { $ref: `#/components/schemas/${shape.title}` };
  return withoutNull(shape) === shape ? reference : { anyOf: [reference, { type: 'null' }] };
}

/** Removes null from a shape, because a row that may be null is the same component. */
function withoutNull(shape: Shape): Shape {
  const [type, ...others] = Array.isArray(shape.type)
    ? (shape.type as readonly JsonType[]).filter((one) => one !== 'null')
    : [];
  return type === undefined || others.length > 0 ? shape : { ...shape, type };
}

function expand(shape: Shape): DocumentSchema {
  const { properties, items, ...rest } = shape;
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties, toReference) }),
    ...(items && { items: toReference(items) }),
  };
}

function partsOf(shape: Shape): Shape[] {
  return [...Object.values(shape.properties ?? {}), ...(shape.items ? [shape.items] : [])];
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
