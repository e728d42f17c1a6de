declare const brand: unique symbol;

/** A text or bigint that the compiler tells apart by its meaning. It can be shown and looked up like any other. */
export type Brand<Base extends string | bigint, Name extends string> = Base & { readonly [brand]: Name };

/**
 * A number on the wire that means something: an amount in a unit, an identifier. At run time it is a plain number; to
 * the compiler it is none, because a branded number that still were one could be added to any other: `cents + usd`,
 * `ticks * 2` and `volume > 0` do not compile. Conversions take the unit they are made for and open it by `toNumber`.
 */
export interface OpaqueNumber<Name extends string> {
  readonly [brand]: Name;
  toString(): string;
}

/** Opens an amount. Its unit is lost, so this belongs into conversions and formatting, not into views. */
export function toNumber(opaque: OpaqueNumber<string>): number {
  return opaque as unknown as number;
}

/** Gives a number its meaning, which is the type expected where it is put: `const size: Contracts = fromNumber(3)`. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller's type is what it is for
export function fromNumber<Opaque extends OpaqueNumber<string>>(value: number): Opaque {
  return value as unknown as Opaque;
}

/**
 * A word from a list the interface names. The venue may add words, so a reader is made to handle one that is not on the
 * list: it is shown as it came.
 */
export type Word<Known extends string> = Known | Brand<string, 'unlisted word'>;
