/** What a function that may refuse returns: the value, or why not. */
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

/** Wraps an accepted value. */
export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

/** Wraps a refusal. */
export function err<Refusal>(error: Refusal): Err<Refusal> {
  return { ok: false, error };
}
