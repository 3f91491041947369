import type { ContractId, Command } from '@coinlab/core';
import { isCoupon } from './coupons.js';
import { Inquiry } from './inquiry.js';
import { fits } from './numbers.js';
import type { CommandOf } from './prediction.js';

type Operation = CommandOf<'ExecuteBatch'>['operations'][number];

/**
 * Source: specification §8.1. Assumption: A-78.
 * @param ask returns false if the command's type has no prediction
 * @returns false if the type of one operation has no prediction
 */
export function tryBatch(
  inquiry: Inquiry,
  { owner, validator, inputs, operations }: CommandOf<'ExecuteBatch'>,
  ask: (inquiry: Inquiry, command: Command) => boolean,
): boolean {
  const { overlay, context } = inquiry;
  inquiry.actsAs(owner, validator);
  const signs = overlay.all('ExternalPartyKey').some(({ party }) => party === owner);
  inquiry.require(!signs, 'INVALID_ARGUMENT');
  inquiry.require(operations.length >= 1 && operations.length <= 10, 'INVALID_ARGUMENT');
  inquiry.require(operations.filter(({ type }) => type === 'MergeHoldings').length <= 1, 'INVALID_ARGUMENT');
  inquiry.require(new Set(inputs).size === inputs.length, 'DUPLICATE_INPUT');
  if (inquiry.reasons.size > 0) return true;

  let left: readonly ContractId[] = inputs;
  for (const operation of operations) {
    if (operation.type === 'MergeHoldings' && operations.length > 1) continue;
    const part = new Inquiry(overlay, context);
    const namesCoupon = (id: ContractId): boolean => {
      const input = overlay.find(id);
      return input !== undefined && isCoupon(input);
    };
    const given = operation.type === 'DirectTransfer' ? left.filter((id) => !namesCoupon(id)) : left;
    if (!ask(part, commandOf(operation, { owner, validator, inputs: given }))) return false;
    const fitting = fits(overlay.minted + part.overlay.minted) && fits(overlay.burned + part.overlay.burned);
    if (part.reasons.size === 0) part.require(fitting, 'INVALID_DECIMAL');
    if (part.reasons.size > 0) {
      if (!overlay.settings.profile.failureAborts) continue;
      for (const reason of part.reasons) inquiry.reasons.add(reason);
      return true;
    }
    overlay.adopt(part.overlay);
    left = [...change(part, operation), ...left.filter((id) => overlay.find(id) !== undefined)];
  }
  return true;
}

function change({ overlay }: Inquiry, { type }: Operation): readonly ContractId[] {
  const made = [...overlay.made.values()].filter(({ template }) => template === 'Holding');
  // The receiver's coin comes first, the change last. A preapproved payment to the sender creates both for
  // the same party.
  const last = made.at(-1);
  if (!last) return [];
  const outputs = type === 'CompleteWalletOffer' || type === 'DirectTransfer' ? 1 : 0;
  return made.length > outputs ? [last.id] : [];
}

function commandOf(
  operation: Operation,
  { owner, validator, inputs }: Pick<CommandOf<'ExecuteBatch'>, 'owner' | 'validator' | 'inputs'>,
): Command {
  switch (operation.type) {
    case 'Tap':
      return { ...operation, receiver: owner };
    case 'CompleteWalletOffer':
    case 'CompleteTrafficRequest':
      return { ...operation, walletProvider: validator, inputs };
    case 'MergeHoldings':
      return { ...operation, owner, inputs };
    case 'BuyMemberTraffic':
      return { ...operation, payer: owner, inputs };
    case 'CreateExternalPartySetupProposal':
      return { ...operation, validator: owner, inputs };
    case 'DirectTransfer':
      return { ...operation, sender: owner, inputs };
    case 'TopUpTraffic':
    case 'AcceptPreapprovalProposal':
    case 'RenewPreapproval':
    case 'PayAnsSubscription':
      return { ...operation, inputs };
  }
}
