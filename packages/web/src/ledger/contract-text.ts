import { Amount } from '@coinlab/core';
import { amountOf, shownAmount } from '../format/amounts.js';
import { hintOf } from '../format/parties.js';
import type { LedgerContract } from '../store/log-copy.js';

/** Fields that lists omit, because they say little; the contract's page shows them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'id',
  'template',
  'config',
  'issuanceConfig',
  'transferConfigUsd',
  'meta',
]);
const MOST_FIELDS = 4;
const PARTY = /^[^\s:][^:]*::[0-9a-f]{8,}$/i;
const DECIMAL = /^-?\d+\.\d{10}$/;

export function isParty(value: unknown): value is string {
  return typeof value === 'string' && PARTY.test(value);
}

export function partiesIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (isParty(value)) found.add(value);
  else if (Array.isArray(value)) for (const one of value) partiesIn(one, found);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) partiesIn(one, found);
  return found;
}

export function summaryOf(contract: LedgerContract): string {
  const { template, owner, amount, lock } = contract;
  if (template === 'Holding' && typeof amount === 'string')
    return `${shownAmount(amountOf(amount))} CC of ${hintOf(String(owner))}${lock === null ? '' : ', locked'}`;
  const terms = contract['transfer'];
  if (template === 'TransferInstruction' && typeof terms === 'object' && terms !== null)
    return offerText(terms as Readonly<Record<string, unknown>>); // the log writes the terms as an object
  return Object.entries(contract)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null)
    .slice(0, MOST_FIELDS)
    .map(([name, value]) => `${name} ${shortValue(value)}`)
    .join(', ');
}

function offerText({ sender, receiver, amount }: Readonly<Record<string, unknown>>): string {
  return `${shownAmount(amountOf(String(amount)))} CC from ${hintOf(String(sender))} to ${hintOf(String(receiver))}`;
}

function shortValue(value: unknown): string {
  if (isParty(value)) return hintOf(value);
  if (typeof value === 'string') return DECIMAL.test(value) ? Amount.short(amountOf(value)) : clipped(value);
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  return String(value);
}

const LONGEST = 60;

function clipped(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
