declare const brand: unique symbol;

/**
 * A scalar that the compiler tells apart by its meaning: `Cents` and `Usd` are both plain values at run time, and
 * cannot be mixed at compile time.
 */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/**
 * A word from a list the interface names. The venue may add words, so a reader is made to handle one that is not on the
 * list: it is shown as it came.
 */
export type Word<Known extends string> = Known | Brand<string, 'unlisted word'>;
