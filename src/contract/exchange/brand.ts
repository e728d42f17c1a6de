declare const brand: unique symbol;

/** A text or bigint whose meaning is part of its type. It can be shown and looked up like any other. */
export type Brand<Base extends string | bigint, Name extends string> = Base & { readonly [brand]: Name };

/**
 * A number on the wire with a meaning: an amount in a unit, or an identifier. It is a plain number at run time but not
 * to the compiler, so that `cents + usd`, `ticks * 2` and `volume > 0` do not compile. Conversions accept the unit they
 * are made for and unwrap it with `toNumber`.
 */
export interface OpaqueNumber<Name extends string> {
  readonly [brand]: Name;
  toString(): string;
}

/** Unwraps an amount and loses its unit. Use it for conversions, charts and look-ups, never to mix units. */
export function toNumber(opaque: OpaqueNumber<string>): number {
  return opaque as unknown as number;
}

/** Wraps a number in the type that its context expects: `const size: Contracts = fromNumber(3)`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's type decides
export function fromNumber<Opaque extends OpaqueNumber<string>>(value: number): Opaque {
  return value as unknown as Opaque;
}

/**
 * A value from a list in the interface. The exchange may add values, so callers must handle unlisted ones, which are
 * shown unchanged.
 */
export type OpenEnum<Known extends string> = Known | Brand<string, 'unlisted value'>;
