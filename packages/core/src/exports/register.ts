/**
 * What the ledger consists of, for tools that work on all of it: workflows, shapes and checks.
 * @module
 */
export type { Brand } from '../kernel/brand.js';
export type { Outcome, ValueDetail } from '../kernel/decision.js';
export { contractShape } from '../contracts/contract.js';
export { Effects } from '../contracts/effects.js';
export { invariant, unreachable } from '../kernel/assert.js';
export { malformed } from '../kernel/malformed.js';
export { type Shape, refNumber } from '../kernel/shape.js';
export { WORKFLOWS } from '../submit.js';
