/**
 * States what must hold if coinlab itself is right. Only a mistake of ours makes it throw; refusals of commands are values.
 * @param claim a positive sentence: `a holding has a positive amount`
 */
export function invariant(holds: boolean, claim: string, evidence?: () => string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${claim}${evidence ? `\n${evidence()}` : ''}`);
}

/** Closes a switch over a union: a new variant fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
