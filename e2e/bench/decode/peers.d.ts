/**
 * The parts of the peers that are used here, so that types can be checked where the peers are not installed. They are
 * installed when a benchmark runs for the first time, and never with the product.
 */

interface PeerSchema<Out = unknown> {
  readonly out?: Out;
}

declare module 'zod' {
  type Zod<Out = unknown> = PeerSchema<Out> & { readonly safeParse: (value: unknown) => { readonly data?: Out } };
  export function string(): Zod<string>;
  export function number(): Zod<number>;
  function enumOf(words: readonly string[]): Zod<string>;
  export { enumOf as enum };
  export function nullable(schema: Zod): Zod;
  export function object(fields: Readonly<Record<string, Zod>>): Zod;
  export function array(item: Zod): Zod<unknown[]>;
}

declare module 'valibot' {
  export function string(): PeerSchema<string>;
  export function number(): PeerSchema<number>;
  export function picklist(words: readonly string[]): PeerSchema<string>;
  export function nullable(schema: PeerSchema): PeerSchema;
  export function object(fields: Readonly<Record<string, PeerSchema>>): PeerSchema;
  export function array(item: PeerSchema): PeerSchema<unknown[]>;
  type Result<Out> = { readonly success: true; readonly output: Out } | { readonly success: false };
  export function safeParse<Out>(schema: PeerSchema<Out>, value: unknown): Result<Out>;
}

declare module 'arktype' {
  interface Type {
    readonly array: () => { readonly allows: (value: unknown) => value is unknown[] };
  }
  export const type: ((fields: Readonly<Record<string, unknown>>) => Type) & {
    readonly enumerated: (...words: readonly string[]) => Type;
  };
}

declare module 'ajv' {
  export class Ajv {
    constructor(options: { readonly code: { readonly source: true; readonly esm: true } });
    compile(schema: unknown): unknown;
  }
}

declare module 'ajv/dist/standalone/index.js' {
  const standalone: { readonly default: (ajv: unknown, validate: unknown) => string };
  export { standalone as default };
}

declare module 'compiled:orders' {
  const validate: (value: unknown) => value is unknown[];
  export { validate as default };
}
