declare const brand: unique symbol;

/** A primitive that the compiler keeps apart from others of the same shape: a `Round` is no bare number. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
