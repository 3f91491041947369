import type { CarryingWorkflow } from '../rules/workflow.js';
import { ans } from '../workflows/ans.js';
import { batches, type BatchDetails, type ExecuteBatch, type outcomes } from '../workflows/batch.js';
import { direct } from '../workflows/direct.js';
import { externalParty } from '../workflows/external-party.js';
import { mint } from '../workflows/mint.js';
import { preapproval } from '../workflows/preapproval.js';
import { self } from '../workflows/self.js';
import { trafficRequests } from '../workflows/traffic-requests.js';
import { traffic } from '../workflows/traffic.js';
import { walletOffer } from '../workflows/wallet-offer.js';

const { WalletOfferCompleted } = walletOffer.updates;
const { HoldingsMerged } = self.updates;
const { TrafficPurchased, TrafficToppedUp } = traffic.updates;
const { TrafficRequestCompleted } = trafficRequests.updates;
const { Tapped } = mint.updates;
const { ExternalPartySetupProposed } = externalParty.updates;
const { PreapprovalCreated, PreapprovalRenewed } = preapproval.updates;
const { TransferCompleted } = direct.updates;
const { AnsPaymentMade } = ans.updates;

export const batch: CarryingWorkflow<ExecuteBatch, BatchDetails, typeof outcomes> = batches({
  CompleteWalletOffer: { WalletOfferCompleted },
  MergeHoldings: { HoldingsMerged },
  BuyMemberTraffic: { TrafficPurchased },
  TopUpTraffic: { TrafficToppedUp },
  CompleteTrafficRequest: { TrafficRequestCompleted },
  Tap: { Tapped },
  CreateExternalPartySetupProposal: { ExternalPartySetupProposed },
  AcceptPreapprovalProposal: { PreapprovalCreated },
  RenewPreapproval: { PreapprovalRenewed },
  DirectTransfer: { TransferCompleted },
  PayAnsSubscription: { AnsPaymentMade },
});
