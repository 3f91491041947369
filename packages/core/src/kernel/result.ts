/** The result of a function that may refuse: a value or a refusal. */
export type Result<Value, Refusal> = Ok<Value> | Err<Refusal>;

/** The accepted side of a {@link Result}. */
export interface Ok<Value> {
  readonly ok: true;
  readonly value: Value;
}

/** The refused side of a {@link Result}. */
export interface Err<Refusal> {
  readonly ok: false;
  readonly error: Refusal;
}

/** Returns a value as the accepted side of a {@link Result}. */
export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

/** Returns a refusal as the refused side of a {@link Result}. */
export function err<Refusal>(error: Refusal): Err<Refusal> {
  return { ok: false, error };
}
