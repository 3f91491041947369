import {
  Amount,
  brokenLaws,
  codec,
  Duration,
  inputsCovering,
  Instant,
  LAWS,
  openLedger,
  UPDATE_KINDS,
  COMMAND_TYPES,
  type Command,
  type CommandType,
  type Ledger,
  type PartyId,
  type ProfileName,
  type Rejection,
  type Result,
  type Update,
} from '@coinlab/core';
import { describeSubmission, resolve, type Drawn, type Submission } from './commands.ts';
import { dso, everybody, hoarder, people, provider } from './draw.ts';

/** What became of the commands of a suite: which were accepted, which refused and why, and what happened. */
export class Coverage {
  readonly accepted: Map<CommandType, number> = new Map();
  readonly refused: Map<CommandType, number> = new Map();
  readonly codes: Map<string, number> = new Map();
  readonly kinds: Map<string, number> = new Map();

  count(command: Command, result: Result<{ readonly update: Update }, Rejection>): void {
    bump(result.ok ? this.accepted : this.refused, command.type);
    if (result.ok) bump(this.kinds, result.value.update.kind);
    else bump(this.codes, result.error.code);
  }

  /** Commands that were never accepted or never refused, and kinds of update that never happened. */
  gaps(): { readonly neverAccepted: string[]; readonly neverRefused: string[]; readonly neverHappened: string[] } {
    return {
      neverAccepted: COMMAND_TYPES.filter((type) => !this.accepted.has(type)),
      neverRefused: COMMAND_TYPES.filter((type) => !this.refused.has(type)),
      neverHappened: UPDATE_KINDS.filter((kind) => !this.kinds.has(kind)),
    };
  }
}

function bump<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Submits a sequence and checks every law after every update. A broken law throws with all it takes to see it again: the commands
 * up to it, the update and the law.
 * @returns the ledger after the last command
 */
export function play(start: Ledger, steps: readonly Drawn[], coverage: Coverage = new Coverage()): Ledger {
  let ledger = start;
  const told: string[] = [];
  for (const step of steps) {
    const submission = resolve(step, ledger.state);
    const result = ledger.submit(submission.command, submission.context);
    coverage.count(submission.command, result);
    told.push(`${describeSubmission(submission)} → ${result.ok ? result.value.update.kind : result.error.code}`);
    if (!result.ok) continue;
    requireLaws(ledger, result.value.update, result.value.ledger, told);
    ledger = result.value.ledger;
  }
  return ledger;
}

function requireLaws(before: Ledger, update: Update, after: Ledger, told: readonly string[]): void {
  const [broken] = brokenLaws(LAWS, { before: before.state, update, after: after.state });
  if (!broken) return;
  throw new Error(
    [`✗ ${broken.name} (invariant ${broken.invariant})`, ...told.map((line) => `  ${line}`), codec.encode(update)].join(
      '\n',
    ),
  );
}

const networks: Map<ProfileName, Ledger> = new Map();

/** A network in the middle of its life, ready for commands of every kind; made once, since a ledger is a value. */
export function busy(profile: ProfileName): Ledger {
  const known = networks.get(profile);
  if (known) return known;
  const made = settle(openLedger({ profile, amuletPrice: Amount.of('0.15') }));
  networks.set(profile, made);
  return made;
}

/** A network with parties, coins of every size, a hoarder at the limit of inputs, and one of every contract that takes long to make. */
function settle(start: Ledger): Ledger {
  let ledger = start;
  const now = (): Instant => ledger.state.time;
  const submit = (command: Command, actAs: readonly PartyId[], at: Instant = now()): Update => {
    const submission: Submission = { command, context: { now: at, actAs } };
    const result = ledger.submit(command, submission.context);
    if (!result.ok) throw new Error(`${describeSubmission(submission)} → ${JSON.stringify(result.error, shown)}`);
    requireLaws(ledger, result.value.update, result.value.ledger, [describeSubmission(submission)]);
    ledger = result.value.ledger;
    return result.value.update;
  };
  const fund = (receiver: PartyId, ...amounts: readonly string[]): void => {
    for (const text of amounts) submit({ type: 'Mint', receiver, amount: Amount.of(text) }, [dso, receiver]);
  };
  for (const party of everybody) submit({ type: 'AllocateParty', party }, [party]);
  for (const [i, party] of people.entries()) fund(party, '100', '25.5', `${i + 1}`, '0.0000000001', '0.0002536786');
  fund(provider, '5000');
  for (let i = 0; i < 101; i++) fund(hoarder, i < 99 ? '1' : '0.5');
  submit(
    {
      type: 'CreatePreapproval',
      receiver: people[0],
      provider,
      expiresAt: Instant.plus(now(), Duration.days(60)),
      inputs: inputsCovering(ledger.state, provider, Amount.one),
    },
    [provider, people[0]],
  );
  return ledger;
}

function shown(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
