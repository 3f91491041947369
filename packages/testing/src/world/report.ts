import {
  Amount,
  PartyId,
  type CommandType,
  type Rejection,
  type RejectionCode,
  type Result,
  type Update,
} from '@coinlab/core';
import { messageBytesOf } from '@coinlab/core/views';
import { counted, textTable } from './table.js';

/** A submitted command with its acting parties and its outcome. */
export interface SubmittedCommand {
  readonly type: CommandType;
  readonly actAs: readonly PartyId[];
  readonly outcome: Result<Update, Rejection>;
}

/** The summed effects of a group of commands. */
export interface ReportRow<Name = string> {
  readonly name: Name;
  /** Number of accepted commands; each appends one update. */
  readonly accepted: number;
  readonly refused: number;
  /** Estimated size of the messages that carry the updates, in bytes. */
  readonly trafficBytes: number;
  /** Burned coin: fees of transfers, preapprovals and traffic. */
  readonly burned: Amount;
}

/** The number of commands of one type that were refused with one code. */
export interface RefusalRow {
  readonly command: CommandType;
  readonly code: RejectionCode;
  readonly count: number;
}

/** The effects of a test's commands. Print the tables with `console.log(String(world.report()))`. */
export class LedgerReport {
  readonly total: ReportRow<'total'>;
  readonly byCommand: readonly ReportRow<CommandType>[];
  /** Grouped by the first acting party, in order of names. */
  readonly byParty: readonly ReportRow[];
  readonly refusals: readonly RefusalRow[];

  constructor(submitted: readonly SubmittedCommand[]) {
    this.total = rowOf('total', submitted);
    this.byCommand = rowsBy(submitted, ({ type }) => type);
    this.byParty = rowsBy(submitted, ({ actAs: [first] }) => (first === undefined ? 'nobody' : PartyId.hint(first)));
    this.refusals = this.byCommand.flatMap(({ name }) => refusalsOf(name, submitted));
  }

  toString(): string {
    const { accepted, refused, trafficBytes, burned } = this.total;
    const parts = [
      `${counted(accepted + refused, 'command')} by ${this.byParty.length === 1 ? '1 party' : `${this.byParty.length} parties`}`,
      `${accepted} accepted, ${refused} refused`,
      `${counted(trafficBytes, 'byte')} of traffic, ${Amount.short(burned)} burned`,
    ];
    const tables = [tableOf('command', this.byCommand), tableOf('party', this.byParty)];
    if (this.refusals.length > 0)
      tables.push(
        textTable(
          ['command', 'refused with', 'times'],
          this.refusals.map(({ command, code, count }) => [command, code, count]),
        ),
      );
    return [parts.join('; '), ...(accepted + refused === 0 ? [] : tables)].join('\n\n');
  }
}

function tableOf(heading: string, rows: readonly ReportRow[]): string {
  return textTable(
    [heading, 'accepted', 'refused', 'traffic bytes', 'burned'],
    rows.map(({ name, accepted, refused, trafficBytes, burned }) => [
      name,
      accepted,
      refused,
      trafficBytes,
      Amount.short(burned),
    ]),
  );
}

function rowsBy<Name extends string>(
  submitted: readonly SubmittedCommand[],
  nameOf: (one: SubmittedCommand) => Name,
): readonly ReportRow<Name>[] {
  const groups = new Map<Name, SubmittedCommand[]>();
  for (const one of submitted) {
    const group = groups.get(nameOf(one));
    if (group) group.push(one);
    else groups.set(nameOf(one), [one]);
  }
  return [...groups.keys()].sort().map((name) => rowOf(name, groups.get(name) ?? []));
}

function rowOf<Name>(name: Name, submitted: readonly SubmittedCommand[]): ReportRow<Name> {
  const updates = submitted.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
  return {
    name,
    accepted: updates.length,
    refused: submitted.length - updates.length,
    trafficBytes: updates.reduce((sum, update) => sum + messageBytesOf(update), 0),
    burned: Amount.sum(updates.map(({ detail }) => detail.burned)),
  };
}

function refusalsOf(command: CommandType, submitted: readonly SubmittedCommand[]): readonly RefusalRow[] {
  const counts = new Map<RejectionCode, number>();
  for (const { type, outcome } of submitted)
    if (type === command && !outcome.ok) counts.set(outcome.error.code, (counts.get(outcome.error.code) ?? 0) + 1);
  return [...counts.keys()].sort().map((code) => ({ command, code, count: counts.get(code) ?? 0 }));
}
