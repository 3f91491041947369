import {
  Amount,
  type Command,
  type ContractId,
  explain,
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
import { COMMANDS, type CommandCheck } from '@coinlab/core/workflows';
import type { Submitter } from './verbs.js';

/** A check of a command, with its outcome. */
export interface TracedCheck extends CommandCheck {
  readonly outcome: 'passed' | 'refused' | 'not reached';
}

/**
 * The outcome of a command that was not applied. Print it with `console.log(String(world.trace(command,
 * alice)))`.
 */
export class CommandTrace {
  readonly command: Command;
  readonly actAs: readonly PartyId[];
  readonly at: Instant;
  /** The sections of the specification that define the command. */
  readonly source: string;
  /** The newest usable round; null if no round is open. */
  readonly round: Round | null;
  readonly outcome: Result<Update, Rejection>;
  /**
   * The checks in order of precedence. A check that does not apply passes, such as a check of coins for a
   * command without coins.
   */
  readonly checks: readonly TracedCheck[];
  /** The archived coins. For a refused command, the active coins among its inputs. */
  readonly coinsIn: readonly Holding[];
  /** The created coins; empty for a refused command. */
  readonly coinsOut: readonly Holding[];
  /** The burned coin, such as fees. */
  readonly burned: Amount;

  constructor(command: Command, { ledger, now, actAs }: Omit<Submitter, 'actAs'> & Pick<CommandTrace, 'actAs'>) {
    const { state } = ledger;
    const result = ledger.submit(command, { now, actAs });
    const update = result.ok ? result.value.update : null;
    this.command = command;
    this.actAs = actAs;
    this.at = now;
    this.source = COMMANDS[command.type].source;
    this.round = newestUsableRound(state, now)?.round ?? null;
    this.outcome = result.ok ? { ok: true, value: result.value.update } : result;
    this.checks = checksOf(command, result.ok ? null : result.error);
    this.coinsIn = coinsOf(state, update?.archived ?? inputsOf(command));
    this.coinsOut = (update?.created ?? []).filter((contract) => contract.template === 'Holding');
    this.burned = update?.detail.burned ?? Amount.zero;
  }

  toString(): string {
    const actors = this.actAs.map(PartyId.hint).join(', ') || 'no party';
    const round = this.round === null ? 'no open round' : `round ${this.round}`;
    return [
      `${this.command.type} (${this.source}) by ${actors}, ${round}, ${Instant.format(this.at)}`,
      ...outcomeLines(this.outcome),
      ...checkLines(this.checks),
      ...this.coinsIn.map((coin) => coinLine('in', coin)),
      ...this.coinsOut.map((coin) => coinLine('out', coin)),
      ...(this.outcome.ok ? [line('burned', Amount.short(this.burned))] : []),
    ].join('\n');
  }
}

function checksOf(command: Command, refusal: Rejection | null): readonly TracedCheck[] {
  const { checks, source } = COMMANDS[command.type];
  const refused = refusal ? placeOf(refusal, checks, inputsOf(command)) : Infinity;
  const traced = checks.map((check, place): TracedCheck => {
    if (place === refused) return { ...check, outcome: 'refused' };
    return { ...check, outcome: place < refused ? 'passed' : 'not reached' };
  });
  // A command that carries another command can also be refused by the other's checks.
  return refusal && refused === checks.length
    ? [...traced, { code: refusal.code, source, outcome: 'refused' }]
    : traced;
}

/**
 * If several checks have the same code, the contract or party of the refusal tells the command's own check from those
 * of its inputs, which come last.
 * @returns the number of checks if the command does not declare the code
 */
function placeOf(refusal: Rejection, checks: readonly CommandCheck[], inputs: readonly ContractId[]): number {
  const { code } = refusal;
  const ofInput = 'contract' in refusal && refusal.contract !== null && inputs.includes(refusal.contract);
  const own = code === 'NOT_AUTHORISED' && !refusal.actAs.includes(refusal.required);
  const codes = checks.map((check) => check.code);
  const place = ofInput || own ? codes.lastIndexOf(code) : codes.indexOf(code);
  return place === -1 ? checks.length : place;
}

function outcomeLines(outcome: Result<Update, Rejection>): readonly string[] {
  if (outcome.ok) return [line('accepted', `as ${outcome.value.kind}`)];
  const { code } = outcome.error;
  const again = { later: 'can succeed later', refreshed: 'can succeed with facts read again', never: 'cannot succeed' };
  return [
    line('refused', `with ${code}: ${explain(outcome.error)}`),
    line('again', `the same command ${again[REJECTIONS[code].retry]}`),
  ];
}

function checkLines(checks: readonly TracedCheck[]): readonly string[] {
  const groups: { readonly label: string; readonly source: string; readonly codes: string[] }[] = [];
  for (const { code, source, outcome } of checks) {
    const last = groups.at(-1);
    if (last?.label === outcome && last.source === source) last.codes.push(code);
    else groups.push({ label: outcome, source, codes: [code] });
  }
  return groups.map(({ label, source, codes }) => line(label, `${source}: ${codes.join(', ')}`));
}

function coinLine(side: 'in' | 'out', { id, owner, amount, lock }: Holding): string {
  const locked = lock ? `, locked until ${Instant.format(lock.expiresAt)}` : '';
  return line(side, `${Amount.short(amount)} of ${PartyId.hint(owner)} (contract ${id}${locked})`);
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(11)}  ${text}`;
}

function inputsOf(command: Command): readonly ContractId[] {
  return 'inputs' in command ? command.inputs : [];
}

function coinsOf(state: LedgerState, ids: readonly ContractId[]): readonly Holding[] {
  return ids.flatMap((id) => {
    const contract = findAny(state, id);
    return contract?.template === 'Holding' ? [contract] : [];
  });
}
