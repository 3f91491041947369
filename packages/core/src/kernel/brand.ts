declare const brand: unique symbol;

/**
 * A primitive that the compiler keeps apart from others of the same base type, so that a plain number is not accepted
 * as a `Round`.
 */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
