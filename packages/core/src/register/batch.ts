import type { CarryingWorkflow } from '../rules/workflow.js';
import { ans } from '../workflows/ans.js';
import { batches, type BatchDetails, type ExecuteBatch } from '../workflows/batch.js';
import { direct } from '../workflows/direct.js';
import { externalParty } from '../workflows/external-party.js';
import { mint } from '../workflows/mint.js';
import { preapproval } from '../workflows/preapproval.js';
import { self } from '../workflows/self.js';
import { trafficRequests } from '../workflows/traffic-requests.js';
import { traffic } from '../workflows/traffic.js';
import { walletOffer } from '../workflows/wallet-offer.js';

/** The workflow of batches, with the kinds of update that their operations amount to. */
export const batch: CarryingWorkflow<ExecuteBatch, BatchDetails> = batches({
  WalletOfferCompleted: walletOffer.updates.WalletOfferCompleted.detail,
  HoldingsMerged: self.updates.HoldingsMerged.detail,
  TrafficPurchased: traffic.updates.TrafficPurchased.detail,
  TrafficToppedUp: traffic.updates.TrafficToppedUp.detail,
  TrafficRequestCompleted: trafficRequests.updates.TrafficRequestCompleted.detail,
  Tapped: mint.updates.Tapped.detail,
  ExternalPartySetupProposed: externalParty.updates.ExternalPartySetupProposed.detail,
  PreapprovalCreated: preapproval.updates.PreapprovalCreated.detail,
  PreapprovalRenewed: preapproval.updates.PreapprovalRenewed.detail,
  TransferCompleted: direct.updates.TransferCompleted.detail,
  AnsPaymentMade: ans.updates.AnsPaymentMade.detail,
});
