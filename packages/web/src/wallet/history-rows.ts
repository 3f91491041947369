import { Amount } from '@coinlab/core';
import type { HistoryItem } from '../api/shapes.js';
import { amountOf } from '../format/amounts.js';

export interface HistoryRow {
  readonly id: string;
  readonly date: string;
  readonly title: string;
  readonly other: string | null;
  readonly change: Amount | null;
  readonly text: string;
  readonly kind: HistoryItem['transaction_type'];
}

export function historyRow(item: HistoryItem, party: string): HistoryRow {
  const { event_id: id, date, transaction_type: kind, description, details } = item;
  const change = changeOf(item, party);
  const text = description ?? details ?? '';
  return { id, date, kind, title: titleOf(item, party, change), other: otherIn(item, party), change, text };
}

function changeOf({ sender, receivers = [], transaction_type }: HistoryItem, party: string): Amount | null {
  if (transaction_type === 'notification' || transaction_type === 'unknown') return null;
  const own = [...(sender ? [sender] : []), ...receivers].filter((one) => one.party === party);
  return Amount.sum(own.map(({ amount }) => amountOf(amount)));
}

function otherIn(item: HistoryItem, party: string): string | null {
  const { sender, receivers = [], transfer_instruction_receiver: offered } = item;
  if (sender && sender.party !== party) return sender.party;
  return offered ?? receivers.find((one) => one.party !== party)?.party ?? null;
}

const TITLES: Readonly<Record<string, string>> = {
  AmuletRules_DevNet_Tap: 'Tapped',
  AmuletRules_Mint: 'Minted',
  AmuletRules_BuyMemberTraffic: 'Bought traffic',
  AmuletRules_CreateTransferPreapproval: 'Bought a preapproval',
  TransferInstruction_Accept: 'Offer accepted',
  TransferInstruction_Reject: 'Offer rejected',
  TransferInstruction_Withdraw: 'Offer withdrawn',
};

const UNLOCKING = new Set(['TransferInstruction_Reject', 'TransferInstruction_Withdraw']);

function titleOf(item: HistoryItem, party: string, change: Amount | null): string {
  const { choice } = item.transaction_subtype;
  // The API subtracts the amount of an offer twice: from the free coin when it is locked, and from all coin when it is paid.
  if (choice === 'TransferInstruction_Accept' && item.sender?.party === party)
    return 'Offer accepted (paid with locked coin)';
  const known = TITLES[choice];
  // The receiver of the offer has the item too, without a change.
  if (known !== undefined) return UNLOCKING.has(choice) && change !== 0n ? `${known} (coin unlocked)` : known;
  if (item.transfer_instruction_receiver !== undefined) return 'Offered (coin locked)';
  if (item.transaction_type === 'transfer') return item.sender?.party === party ? sentTitle(item, party) : 'Received';
  if (change !== null) return change < 0n ? 'Spent' : 'Received';
  return choice.replace(/^.*_/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

function sentTitle(item: HistoryItem, party: string): string {
  return otherIn(item, party) === null ? 'Merged or split' : 'Sent';
}
