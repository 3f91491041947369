import type { ContractOf, TemplateName } from '../contracts/contract.js';
import {
  allOf,
  lockedTotalOf,
  openRoundsOf,
  settingsOf,
  unlockedTotalOf,
  type LedgerState,
} from '../contracts/state.js';
import type { TransferConfig } from '../contracts/amulet-rules.js';
import { Amount } from '../kernel/amount.js';
import type { PartyId } from '../kernel/ids.js';
import { isUpdateOf, type Update, type UpdateKind } from '../log/update.js';
import { ofTemplate } from '../rules/consent.js';
import type { TransferDetail } from '../rules/transfer/transfer-detail.js';
import type { Step } from './law.js';

export type StepOf<Kind extends UpdateKind> = Step & { readonly update: Extract<Update, { readonly kind: Kind }> };

export function isKind<Kind extends UpdateKind>(step: Step, ...kinds: readonly Kind[]): step is StepOf<Kind> {
  return isUpdateOf(step.update, ...kinds);
}

export function createdOf<Name extends TemplateName>(step: Step, template: Name): readonly ContractOf<Name>[] {
  return ofTemplate(step.update.created, template);
}

/** Returns null unless the update is a single transfer. The laws of transfers check these updates, whatever their kind. */
export function transferOf(update: Update): TransferDetail | null {
  const { detail } = update;
  return 'sender' in detail && 'receiver' in detail && 'inputs' in detail && 'holdings' in detail && 'rewards' in detail
    ? detail
    : null;
}

export function feesOf({ fees }: Pick<TransferDetail, 'fees'>): Amount {
  return fees ? Amount.sum([fees.holdingFees, ...fees.outputFees, fees.changeFee]) : Amount.zero;
}

export function totalOf(state: LedgerState, party: PartyId): Amount {
  return Amount.add(unlockedTotalOf(state, party), lockedTotalOf(state, party));
}

export function configsOf(state: LedgerState): readonly TransferConfig[] {
  return [...openRoundsOf(state), ...allOf(state, 'ExternalPartyConfigState')].map(
    ({ transferConfigUsd }) => transferConfigUsd,
  );
}

export function isFeeless(state: LedgerState): boolean {
  if (state.offset === 0) return true;
  return (
    !settingsOf(state).profile.chargesHoldingFee &&
    configsOf(state).every(
      ({ createFee, lockHolderFee, transferFeeInitialRate, transferFeeSteps }) =>
        createFee === 0n &&
        lockHolderFee === 0n &&
        transferFeeInitialRate === 0n &&
        transferFeeSteps.every(({ rate }) => rate === 0n),
    )
  );
}
