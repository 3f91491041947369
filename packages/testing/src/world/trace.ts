import {
  Amount,
  type Command,
  type ContractId,
  type Holding,
  Instant,
  type LedgerState,
  PartyId,
  REJECTIONS,
  type Rejection,
  type Result,
  type Round,
  type Update,
} from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { findAny } from '@coinlab/core/views';
import { plain } from '../failure.js';
import type { Submitter } from './verbs.js';

/** What a command would do, without doing it; printed as text: `console.log(String(world.trace(command, alice)))`. */
export class CommandTrace {
  readonly command: Command;
  readonly actAs: readonly PartyId[];
  readonly at: Instant;
  /** The newest usable round; null when none is open. */
  readonly round: Round | null;
  readonly outcome: Result<Update, Rejection>;
  /** Coins that the command archives; refused, the active coins that it names as inputs. */
  readonly coinsIn: readonly Holding[];
  /** Coins that the command creates; none when it is refused. */
  readonly coinsOut: readonly Holding[];
  /** Coin burned: fees. */
  readonly burned: Amount;

  constructor(command: Command, { ledger, now, actAs }: Omit<Submitter, 'actAs'> & Pick<CommandTrace, 'actAs'>) {
    const { state } = ledger;
    const result = ledger.submit(command, { now, actAs });
    const update = result.ok ? result.value.update : null;
    this.command = command;
    this.actAs = actAs;
    this.at = now;
    this.round = newestUsableRound(state, now)?.round ?? null;
    this.outcome = result.ok ? { ok: true, value: result.value.update } : result;
    this.coinsIn = coinsOf(state, update?.archived ?? ('inputs' in command ? command.inputs : []));
    this.coinsOut = (update?.created ?? []).filter((contract) => contract.template === 'Holding');
    this.burned = update?.detail.burned ?? Amount.zero;
  }

  toString(): string {
    const actors = this.actAs.map(PartyId.hint).join(', ') || 'nobody';
    const round = this.round === null ? 'no open round' : `round ${this.round}`;
    return [
      `${this.command.type} by ${actors}, ${round}, ${Instant.format(this.at)}`,
      ...outcomeLines(this.outcome),
      ...this.coinsIn.map((coin) => coinLine('in', coin)),
      ...this.coinsOut.map((coin) => coinLine('out', coin)),
      ...(this.outcome.ok ? [`  burned  ${Amount.short(this.burned)}`] : []),
    ].join('\n');
  }
}

function outcomeLines(outcome: Result<Update, Rejection>): readonly string[] {
  if (outcome.ok) return [`  accepted as ${outcome.value.kind}`];
  const { code, ...evidence } = outcome.error;
  const { meaning, retry } = REJECTIONS[code];
  const again = { later: 'can succeed later', refreshed: 'can succeed with facts read again', never: 'cannot succeed' };
  return [
    `  refused with ${code} ${JSON.stringify(plain(evidence))}`,
    `  meaning: ${meaning}`,
    `  submitted again, it ${again[retry]}`,
  ];
}

function coinLine(side: 'in' | 'out', { id, owner, amount, lock }: Holding): string {
  const locked = lock ? `, locked until ${Instant.format(lock.expiresAt)}` : '';
  return `  ${side.padEnd(6)}  ${Amount.short(amount)} of ${PartyId.hint(owner)} (contract ${id}${locked})`;
}

function coinsOf(state: LedgerState, ids: readonly ContractId[]): readonly Holding[] {
  return ids.flatMap((id) => {
    const contract = findAny(state, id);
    return contract?.template === 'Holding' ? [contract] : [];
  });
}
