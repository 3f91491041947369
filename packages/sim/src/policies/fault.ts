import type { PartyId } from '@coinlab/core';

/** Thrown when a user's policy throws or returns an invalid selection. Ends the run, because its figures would be meaningless. */
export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  /** Errors with a code are reported without a stack trace. */
  readonly code = 'POLICY_FAULT';
  readonly policy: string;
  readonly party: PartyId;
  readonly reason: string;
  /** Round of the run, from 0; null before the first round. */
  readonly round: number | null;

  constructor(policy: string, party: PartyId, reason: string, round: number | null = null, cause?: unknown) {
    super(`policy ${policy}, party ${party}${round === null ? '' : `, round ${round}`}: ${reason}`, { cause });
    this.policy = policy;
    this.party = party;
    this.reason = reason;
    this.round = round;
  }

  /** Returns a copy of the fault with its round. */
  at(round: number): PolicyFault {
    return new PolicyFault(this.policy, this.party, this.reason, round, this.cause);
  }
}
