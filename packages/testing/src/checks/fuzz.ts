import { at } from '@coinlab/core/workflows';
import fc from 'fast-check';
import {
  Engine,
  Instant,
  LAWS,
  codec,
  formatCommand,
  parseCommand,
  type Submission,
  type PartyId,
  type Json,
  type Update,
} from '@coinlab/core';
import { Auditor } from '../auditor/auditor.js';
import { everybody } from '../generator/cast.js';
import { describeSubmission, drawn, resolve, type Drawn } from '../generator/commands.js';
import { Dice } from '../generator/dice.js';
import { mutated } from './mutate.js';
import { startOf, STARTS, type StartName } from './starts.js';

/** The length and the random seed of a {@link fuzz} run. */
export interface FuzzOptions {
  readonly commands: number;
  readonly seed: number;
  /** Called after every 200 commands; returning true ends the run. Default: the run sends all commands. */
  readonly isOver?: (soFar: FuzzReport) => boolean;
}

/** The counts and faults of a {@link fuzz} run. */
export interface FuzzReport {
  readonly commands: number;
  readonly worlds: number;
  readonly accepted: number;
  readonly refused: number;
  /** Number of commands in JSON that `parseCommand` refused. */
  readonly malformed: number;
  /** Descriptions of the faults, each with the command that causes it. */
  readonly faults: readonly string[];
}

const WORLD = 200;

interface Roll {
  readonly command: Drawn;
  readonly mutations: readonly (readonly number[])[];
}

const rollArb: fc.Arbitrary<Roll> = fc.record({
  command: drawn,
  mutations: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.array(fc.nat(0xf_ffff), { minLength: 4, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
    },
  ),
});

/**
 * Sends random commands to the engine; about half have random changes in their JSON form. Reports a fault if
 * an error is thrown, a law is broken, or the auditor disagrees. Equal seeds send equal commands.
 */
export function fuzz({ commands, seed, isOver = () => false }: FuzzOptions): FuzzReport {
  let report: FuzzReport = { commands: 0, worlds: 0, accepted: 0, refused: 0, malformed: 0, faults: [] };
  while (report.commands < commands && report.faults.length === 0 && !isOver(report)) {
    const start = at(STARTS, report.worlds % STARTS.length);
    const numRuns = Math.min(WORLD, commands - report.commands);
    const rolls = fc.sample(rollArb, { numRuns, seed: seed + report.worlds });
    report = world(rolls, start, report, seed);
  }
  return report;
}

function world(rolls: readonly Roll[], start: StartName, before: FuzzReport, seed: number): FuzzReport {
  const begun = startOf(start);
  const engine = new Engine({ laws: LAWS }, begun.state);
  const auditor = new Auditor(begun.state);
  const accepted: Submission[] = [];
  const counts = { ...before, worlds: before.worlds + 1 };
  for (const { command, mutations } of rolls) {
    counts.commands += 1;
    let sent: Submission | null = null;
    try {
      sent = submissionOf(resolve(command, engine.state, accepted), mutations);
      if (!sent) {
        counts.malformed += 1;
        continue;
      }
      const expected = auditor.expect(sent.command, sent.context);
      const result = engine.submit(sent.command, sent.context);
      const wrong =
        auditor.compare(
          expected,
          result.ok ? { accepted: true, update: result.value.update } : { accepted: false, code: result.error.code },
        ) ?? (result.ok ? unreadable(result.value.update) : null);
      if (result.ok) accepted.push(sent);
      if (result.ok) counts.accepted += 1;
      else counts.refused += 1;
      if (wrong) return { ...counts, faults: [told(wrong)] };
    } catch (error) {
      return { ...counts, faults: [told(error instanceof Error ? (error.stack ?? error.message) : String(error))] };
    }
    function told(what: string): string {
      const text = sent ? describeSubmission(sent) : command.type;
      return `seed ${seed}, world ${counts.worlds}, command ${counts.commands}: ${text}\n${what}`;
    }
  }
  return counts;
}

function unreadable(update: Update): string | null {
  const read = codec.decode(codec.encode(update), update.offset);
  return read.ok ? null : `the log cannot be read: ${read.error.reason}`;
}

function submissionOf(submission: Submission, mutations: Roll['mutations']): Submission | null {
  if (mutations.length === 0) return submission;
  let json: Json = formatCommand(submission.command);
  let { context } = submission;
  for (const rolls of mutations) {
    const dice = new Dice(rolls);
    json = mutated(json, dice);
    if (dice.chance(10)) context = { ...context, actAs: dice.pick(CASTS) ?? [] };
    if (dice.chance(2)) context = { ...context, now: dice.pick([Instant.earliest, Instant.latest]) };
  }
  const read = parseCommand(json);
  return read.ok ? { command: read.value, context } : null;
}

const CASTS: readonly (readonly PartyId[])[] = [[], everybody, [...everybody, ...everybody]];
