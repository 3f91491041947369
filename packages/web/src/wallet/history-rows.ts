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

function titleOf(item: HistoryItem, party: string, change: Amount | null): string {
  const { choice } = item.transaction_subtype;
  const known = TITLES[choice];
  if (known !== undefined) return known;
  if (item.transfer_instruction_receiver !== undefined) return 'Offered';
  if (item.transaction_type === 'transfer') return item.sender?.party === party ? sentTitle(item, party) : 'Received';
  if (change !== null) return change < 0n ? 'Spent' : 'Received';
  return choice.replace(/^.*_/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

function sentTitle(item: HistoryItem, party: string): string {
  return otherIn(item, party) === null ? 'Merged or split' : 'Sent';
}
