import { Amount, ContractId, type Holding, type PartyId, type Update } from '@coinlab/core';
import { happeningsOf } from '@coinlab/core/codec';
import { historyEntriesOf, type HistoryEntry, type TransferEntry } from '@coinlab/core/histories';
import type { FeesPaid } from '@coinlab/core/rules';
import { z } from '@hono/zod-openapi';
import type { LedgerView } from '../history/ledger-view.js';
import { synchronizerOf } from './contract.js';
import { contractOnce } from './transaction.js';
import { updateIdText } from './update-id.js';
import { cidText, decimalText, partyText, rfc3339, tenPlaces, timeText } from './values.js';

const coin = z.object({ amulet_owner: partyText, amulet_amount: decimalText }).openapi('AmuletAmount');
const transfer = z
  .object({
    sender: z
      .object({
        party: partyText,
        input_app_reward_amount: decimalText,
        input_validator_reward_amount: decimalText,
        input_sv_reward_amount: decimalText,
        sender_change_fee: decimalText,
        sender_change_amount: decimalText,
        sender_fee: decimalText,
        holding_fees: decimalText,
      })
      .openapi('SenderAmount'),
    receivers: z.array(
      z.object({ party: partyText, amount: decimalText, receiver_fee: decimalText }).openapi('ReceiverAmount'),
    ),
    balance_changes: z.array(
      z
        .object({
          party: partyText,
          change_to_initial_amount_as_of_round_zero: decimalText,
          change_to_holding_fees_rate: decimalText,
        })
        .openapi('BalanceChange'),
    ),
    description: z.string().optional(),
    transferInstructionReceiver: partyText.optional(),
    transferInstructionAmount: decimalText.optional(),
    transferInstructionCid: cidText.optional(),
    transfer_kind: z
      .enum(['create_transfer_instruction', 'transfer_instruction_accept', 'preapproval_send'])
      .optional(),
  })
  .openapi('Transfer');

export const activityFields = {
  event_id: z.string(),
  offset: z.string(),
  date: timeText,
  domain_id: z.string(),
  round: z.number().int().optional(),
  transfer: transfer.optional(),
  mint: coin.optional(),
  tap: coin.optional(),
  abort_transfer_instruction: z
    .object({ abort_kind: z.enum(['withdraw', 'reject']), transfer_instruction_cid: cidText })
    .openapi('AbortTransferInstruction')
    .optional(),
};

export const activityType = z.enum(['transfer', 'mint', 'devnet_tap', 'abort_transfer_instruction']);

const fields = z.object(activityFields);

export interface Activity {
  readonly type: z.output<typeof activityType>;
  readonly body: z.output<typeof fields>;
}

export function hasActivity(update: Update): boolean {
  return historyEntriesOf(update).some((entry) => typeOf(entry) !== null);
}

export function activitiesOf(update: Update, ledger: LedgerView): readonly Activity[] {
  const activities: Activity[] = [];
  for (const happened of happeningsOf(update))
    for (const entry of historyEntriesOf(happened)) {
      const type = typeOf(entry);
      if (type === null) continue;
      const made = happened.created.find((one): one is Holding => one.template === 'Holding');
      activities.push({
        type,
        body: {
          event_id: `#${updateIdText(update.updateId)}:${activities.length}`,
          offset: String(update.offset),
          date: rfc3339(update.recordTime),
          domain_id: synchronizerOf(ledger),
          ...(made ? { round: made.createdAt } : {}),
          ...contentOf(entry, happened, ledger),
        },
      });
    }
  return activities;
}

const CHANGES: Readonly<Record<string, Exclude<Activity['type'], 'transfer'>>> = {
  AmuletRules_DevNet_Tap: 'devnet_tap',
  AmuletRules_Mint: 'mint',
  TransferInstruction_Withdraw: 'abort_transfer_instruction',
  TransferInstruction_Reject: 'abort_transfer_instruction',
};

const KINDS: { readonly [Kind in Update['kind']]?: NonNullable<z.output<typeof transfer>['transfer_kind']> } = {
  TransferOffered: 'create_transfer_instruction',
  TransferAccepted: 'transfer_instruction_accept',
  TransferCompleted: 'preapproval_send',
  TransferCommandSent: 'preapproval_send',
};

/** The network's old releases did not list some changes, such as unlocking a coin. */
function typeOf(entry: HistoryEntry): Activity['type'] | null {
  if (entry.type === 'transfer') return 'transfer';
  return entry.type === 'balance_change' ? (CHANGES[entry.subtype.choice] ?? null) : null;
}

function contentOf(entry: HistoryEntry, update: Update, ledger: LedgerView): Partial<Activity['body']> {
  if (entry.type === 'transfer') return { transfer: transferOf(entry, update, ledger) };
  if (entry.type !== 'balance_change') return {};
  const [receiver] = entry.receivers;
  const owned = receiver && { amulet_owner: receiver.party, amulet_amount: tenPlaces(receiver.amount) };
  const change = CHANGES[entry.subtype.choice];
  if (!change) return {};
  switch (change) {
    case 'devnet_tap':
      return owned ? { tap: owned } : {};
    case 'mint':
      return owned ? { mint: owned } : {};
    case 'abort_transfer_instruction':
      return {
        abort_transfer_instruction: {
          abort_kind: entry.subtype.choice === 'TransferInstruction_Reject' ? 'reject' : 'withdraw',
          transfer_instruction_cid:
            entry.transferInstruction === null ? '' : ContractId.format(entry.transferInstruction),
        },
      };
  }
}

function transferOf(entry: TransferEntry, update: Update, ledger: LedgerView): z.output<typeof transfer> {
  const { sender, transferInstruction: instruction, description } = entry;
  // Cast: only the details of transfers have fees.
  const { fees = null } = update.detail as { readonly fees?: FeesPaid | null };
  const change = update.created.filter(
    (one): one is Holding => one.template === 'Holding' && one.owner === sender.party && one.lock === null,
  );
  const kind = KINDS[update.kind];
  return {
    sender: {
      party: sender.party,
      input_app_reward_amount: tenPlaces(entry.appRewardsUsed),
      input_validator_reward_amount: tenPlaces(entry.validatorRewardsUsed),
      input_sv_reward_amount: tenPlaces(entry.svRewardsUsed),
      sender_change_fee: tenPlaces(fees?.changeFee ?? Amount.zero),
      sender_change_amount: tenPlaces(Amount.sum(change.map(({ amount }) => amount))),
      sender_fee: tenPlaces(Amount.sum(fees?.outputFees ?? [])),
      holding_fees: tenPlaces(entry.holdingFees),
    },
    receivers: entry.receivers.map(({ party, amount }) => ({
      party,
      amount: tenPlaces(amount),
      receiver_fee: tenPlaces(Amount.zero),
    })),
    balance_changes: balanceChanges(update, ledger),
    ...(description === null ? {} : { description }),
    ...(instruction?.receiver ? { transferInstructionReceiver: instruction.receiver } : {}),
    ...(instruction && instruction.amount !== null ? { transferInstructionAmount: tenPlaces(instruction.amount) } : {}),
    ...(instruction ? { transferInstructionCid: ContractId.format(instruction.contract) } : {}),
    ...(kind ? { transfer_kind: kind } : {}),
  };
}

/** Returns changes as of round 0: amounts plus the holding fees of the rounds before the coins' creation. */
function balanceChanges(update: Update, ledger: LedgerView): z.output<typeof transfer>['balance_changes'] {
  const changes = new Map<PartyId, { amount: bigint; rate: bigint }>();
  const enter = ({ owner, amount, createdAt, ratePerRound }: Holding, sign: 1n | -1n): void => {
    const sum = changes.get(owner) ?? { amount: 0n, rate: 0n };
    sum.amount += sign * (amount + ratePerRound * BigInt(createdAt));
    sum.rate += sign * ratePerRound;
    changes.set(owner, sum);
  };
  for (const id of update.archived) {
    const contract = contractOnce(id, ledger);
    if (contract?.template === 'Holding') enter(contract, -1n);
  }
  for (const contract of update.created) if (contract.template === 'Holding') enter(contract, 1n);
  return [...changes].map(([party, { amount, rate }]) => ({
    party,
    change_to_initial_amount_as_of_round_zero: tenPlaces(Amount.ofUnits(amount)),
    change_to_holding_fees_rate: tenPlaces(Amount.ofUnits(rate)),
  }));
}
