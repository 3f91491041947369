import { Inquiry } from './inquiry.js';
import { move } from './move.js';
import { fits } from './numbers.js';
import type { CommandOf, Predictions } from './prediction.js';
import { walletTerms } from './terms.js';
import { payPreapproved } from './transfers.js';
import { payForTime } from './wallet.js';

export const delegatedPredictions: Predictions<
  | 'CreateExternalPartySetupProposal'
  | 'AcceptExternalPartySetupProposal'
  | 'RejectExternalPartySetupProposal'
  | 'WithdrawExternalPartySetupProposal'
  | 'CreateTransferCommandCounter'
  | 'CreateTransferCommand'
  | 'SendTransferCommand'
  | 'WithdrawTransferCommand'
  | 'ExpireTransferCommand'
  | 'MintForBeneficiary'
> = {
  CreateExternalPartySetupProposal: (inquiry, { validator, user, preapprovalExpiresAt, inputs }) => {
    const { now } = inquiry;
    inquiry.actsAs(validator);
    if (!inquiry.require(now < preapprovalExpiresAt, 'DEADLINE_PASSED')) return;
    payForTime(inquiry, { payer: validator, span: preapprovalExpiresAt - now, inputs });
    inquiry.overlay.create('ExternalPartySetupProposal', { validator, user, createdAt: now, preapprovalExpiresAt });
  },
  AcceptExternalPartySetupProposal: (inquiry, { proposal: id }) => {
    const proposal = inquiry.named(id, 'ExternalPartySetupProposal');
    if (!proposal) return;
    const { validator, user, createdAt, preapprovalExpiresAt: expiresAt } = proposal;
    inquiry.actsAs(user);
    inquiry.require(inquiry.now < expiresAt, 'DEADLINE_PASSED');
    inquiry.overlay.archive(id);
    const hasRight = inquiry.overlay
      .all('ValidatorRight')
      .some((one) => one.user === user && one.validator === validator);
    if (!hasRight) inquiry.overlay.create('ValidatorRight', { user, validator });
    const approved = { receiver: user, provider: validator, validFrom: createdAt, lastRenewedAt: createdAt, expiresAt };
    inquiry.overlay.create('TransferPreapproval', approved);
  },
  RejectExternalPartySetupProposal: (inquiry, { proposal: id }) => {
    const proposal = inquiry.named(id, 'ExternalPartySetupProposal');
    if (!proposal) return;
    inquiry.actsAs(proposal.user);
    inquiry.overlay.archive(id);
  },
  WithdrawExternalPartySetupProposal: (inquiry, { proposal: id }) => {
    const proposal = inquiry.named(id, 'ExternalPartySetupProposal');
    if (!proposal) return;
    inquiry.actsAs(proposal.validator);
    inquiry.overlay.archive(id);
  },

  CreateTransferCommandCounter: (inquiry, { sender }) => {
    inquiry.actsAsDsoOrSv();
    const known = inquiry.overlay.all('TransferCommandCounter').some((counter) => counter.sender === sender);
    inquiry.require(!known, 'ALREADY_EXISTS');
    inquiry.overlay.create('TransferCommandCounter', { sender, nextNonce: 0 });
  },
  CreateTransferCommand: (inquiry, command) => {
    const { type: _, expectedDso, description = null, ...order } = command;
    inquiry.actsAs(order.sender);
    inquiry.require((expectedDso ?? inquiry.overlay.settings.dso) === inquiry.overlay.settings.dso, 'DSO_MISMATCH');
    inquiry.require(fits(order.amount), 'INVALID_DECIMAL');
    inquiry.require(inquiry.now < order.expiresAt, 'DEADLINE_PASSED');
    inquiry.overlay.create('TransferCommand', { ...order, description });
  },
  SendTransferCommand: send,
  WithdrawTransferCommand: (inquiry, { command: id }) => {
    const order = inquiry.named(id, 'TransferCommand');
    if (!order) return;
    inquiry.actsAs(order.sender);
    inquiry.overlay.archive(id);
  },
  ExpireTransferCommand: (inquiry, { command: id }) => {
    const order = inquiry.named(id, 'TransferCommand');
    if (!order) return;
    inquiry.actsAsOneOf(order.delegate, order.sender, inquiry.overlay.settings.dso);
    inquiry.require(inquiry.now >= order.expiresAt, 'DEADLINE_NOT_REACHED');
    inquiry.overlay.archive(id);
  },

  MintForBeneficiary: (inquiry, { delegation: id, inputs }) => {
    const { overlay, now } = inquiry;
    const delegation = inquiry.named(id, 'MintingDelegation');
    if (!delegation) return;
    const { beneficiary, delegate, expiresAt, amuletMergeLimit } = delegation;
    inquiry.actsAs(delegate);
    inquiry.require(now < expiresAt, 'DEADLINE_PASSED');
    inquiry.require(inputs.length > 0, 'NO_INPUTS');
    const unlocked = (): number =>
      overlay.all('Holding').filter(({ owner, lock }) => owner === beneficiary && !lock).length;
    const before = unlocked();
    const terms = walletTerms(overlay, now);
    if (!move(inquiry, { sender: beneficiary, provider: delegate, inputs, outputs: [], terms })) return;
    // Assumption A-42.
    inquiry.require(unlocked() >= Math.min(before, amuletMergeLimit), 'INVALID_ARGUMENT');
  },
};

function send(inquiry: Inquiry, command: CommandOf<'SendTransferCommand'>): void {
  const { overlay, context, now } = inquiry;
  const order = inquiry.named(command.command, 'TransferCommand');
  if (!order) return;
  const { sender, receiver, delegate, amount, nonce } = order;
  inquiry.actsAs(delegate);
  const own = overlay.all('TransferCommandCounter').find((one) => one.sender === sender);
  const counter =
    command.counter === undefined ? own : (inquiry.named(command.counter, 'TransferCommandCounter') ?? undefined);
  if (!inquiry.require(counter !== undefined, 'CONTRACT_NOT_FOUND') || !counter) return;
  if (!inquiry.require(counter.sender === sender, 'GROUP_MISMATCH')) return;
  overlay.archive(order.id);
  if (nonce < counter.nextNonce) return;
  if (!inquiry.require(nonce === counter.nextNonce, 'NONCE_TOO_HIGH')) return;
  overlay.archive(counter.id);
  overlay.create('TransferCommandCounter', { sender, nextNonce: nonce + 1 });
  if (command.preapproval === null) return;
  const preapproval = inquiry.named(command.preapproval, 'TransferPreapproval');
  if (!preapproval) return;
  inquiry.require(preapproval.receiver === receiver, 'GROUP_MISMATCH');
  inquiry.require(now < order.expiresAt, 'DEADLINE_PASSED');
  const terms = walletTerms(overlay, now);
  if (!inquiry.require(terms !== null, 'ROUND_NOT_OPEN') || inquiry.reasons.size > 0) return;

  const { inputs } = command;
  const paying = new Inquiry(overlay, context);
  // The delegated steps and the payment are one transaction: contracts archived so far cannot be inputs of
  // the payment.
  for (const id of overlay.gone) paying.overlay.archive(id);
  paying.require(now < preapproval.expiresAt, 'PREAPPROVAL_EXPIRED');
  payPreapproved(paying, { sender, amount, inputs, preapproval, terms });
  if (paying.reasons.size === 0) return overlay.adopt(paying.overlay);
  if (overlay.settings.profile.failureAborts) return paying.reasons.forEach((reason) => inquiry.reasons.add(reason));
  move(inquiry, { sender, provider: delegate, inputs, outputs: [], terms });
}
