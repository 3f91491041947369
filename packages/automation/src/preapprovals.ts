import {
  contractsOf,
  Duration,
  Instant,
  rulesOf,
  type ContractId,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { newestUsableRound, preapprovalFee, preapprovalOf } from '@coinlab/core/rules';
import { dueOf } from '@coinlab/core/views';
import { isHosted } from './hosting.js';
import { tasksOf, type Policy } from './task.js';
import { inputsToBurn } from './treasury.js';

/** When and for how long a provider buys the preapprovals of its users. Source: specification §2.6, §8.7. */
export interface PreapprovalConfig {
  readonly lifetime: Duration;
  /** Remaining time below which a preapproval is renewed. */
  readonly renewalWindow: Duration;
  /** True: also accepts proposals of receivers that the provider's participant does not host. */
  readonly acceptsForeignReceivers: boolean;
}

/** Default settings: buys ninety days at a time, and renews thirty days before the end. Source: specification §2.6. */
export const PREAPPROVAL_DEFAULTS: PreapprovalConfig = {
  lifetime: Duration.days(90),
  renewalWindow: Duration.days(30),
  acceptsForeignReceivers: false,
};

/**
 * Returns a policy that pays for the preapprovals proposed to a provider, unless the receiver has one. It pays for one at a
 * time, because all payments spend the provider's coins. It pays only for receivers that the provider hosts: those with a
 * wallet or a validator right at the provider, and external parties whose topology names its participant. Source:
 * specification §8.7.
 * @param memberId the provider's participant, for example `PAR::participant::1220…`; default: it hosts no external party
 */
export function acceptPreapprovals(
  provider: PartyId,
  config: PreapprovalConfig,
  memberId: string | null = null,
): Policy {
  return (state, now) => {
    for (const proposal of contractsOf(state, 'TransferPreapprovalProposal', provider)) {
      const { receiver } = proposal;
      if (proposal.provider !== provider || preapprovalOf(state, receiver, now)) continue;
      if (!config.acceptsForeignReceivers && !isHosted(state, receiver, provider, memberId)) continue;
      const inputs = paymentFor(config.lifetime, provider, state, now);
      if (!inputs) return [];
      const expiresAt = Instant.plus(now, config.lifetime);
      return tasksOf(provider, [{ type: 'AcceptPreapprovalProposal', proposal: proposal.id, expiresAt, inputs }]);
    }
    return [];
  };
}

/** Returns a policy that renews a provider's preapprovals before they end, the earliest end first. Source: specification §8.7. */
export function renewPreapprovals(provider: PartyId, config: PreapprovalConfig): Policy {
  return (state, now) => {
    const limit = Instant.plus(now, config.renewalWindow);
    for (const { id, provider: of, expiresAt } of dueOf(state, 'TransferPreapproval', limit)) {
      if (of !== provider || now >= expiresAt || expiresAt >= limit) continue;
      const inputs = paymentFor(config.lifetime, provider, state, now);
      if (!inputs) return [];
      const newExpiresAt = Instant.plus(expiresAt, config.lifetime);
      return tasksOf(provider, [{ type: 'RenewPreapproval', preapproval: id, newExpiresAt, inputs }]);
    }
    return [];
  };
}

function paymentFor(span: Duration, provider: PartyId, state: LedgerState, now: Instant): readonly ContractId[] | null {
  const open = newestUsableRound(state, now);
  const rules = rulesOf(state);
  if (!open || !rules) return null;
  const fee = preapprovalFee(span, rules.config.transferPreapprovalFeeUsd, open.amuletPrice);
  return fee === 0n ? [] : inputsToBurn(state, provider, fee, now);
}
