import type { PartyId } from '@coinlab/core';

/** A policy of a user's file that threw, or that returned what no wallet can do. The run ends: its figures would mean nothing. */
export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  /** Told without the place in our code where it was found. */
  readonly code = 'POLICY_FAULT';
  readonly policy: string;
  readonly party: PartyId;
  /** What was wrong: what was returned, and what was expected. */
  readonly reason: string;
  /** Round of the run, from 0; null: before the first. */
  readonly round: number | null;

  constructor(policy: string, party: PartyId, reason: string, round: number | null = null, cause?: unknown) {
    super(`policy ${policy}, party ${party}${round === null ? '' : `, round ${round}`}: ${reason}`, { cause });
    this.policy = policy;
    this.party = party;
    this.reason = reason;
    this.round = round;
  }

  /** The same fault, with its round. */
  at(round: number): PolicyFault {
    return new PolicyFault(this.policy, this.party, this.reason, round, this.cause);
  }
}
