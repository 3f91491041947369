/**
 * The list of all workflows with their parts: shapes and effects. For tools that handle every command or contract,
 * such as `@coinlab/testing`. Programs that run a ledger do not need it.
 * @module
 */
export { COMMANDS, undeclaredOutcome, type CommandInfo } from '../register/outcomes.js';
export { WORKFLOWS } from '../register/register.js';
export { EARLY_REFUSALS, type CommandCheck } from '../rules/refusal-groups.js';
export type { Outcome, ValueDetail } from '../kernel/decision.js';
export { Effects } from '../contracts/effects.js';
export { archive, create } from '../contracts/ledger-state.js';
export { applyAction } from '../rules/governance/governance.js';

export { contractShape } from '../contracts/contract.js';
export { refDigits, type Shape } from '../kernel/shape.js';
export * as shapes from '../kernel/shape.js';
export { malformed } from '../kernel/malformed.js';
export { invariant, unreachable } from '../kernel/assert.js';
export { at, firstOf, isOneOf, keysOf, nearestTo } from '@coinlab/collections';
