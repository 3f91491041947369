import { templateOf } from '@coinlab/core/contracts';
import {
  type Contract,
  type TemplateName,
  holdingsOf,
  settingsOf,
  type LedgerState,
  GENESIS_TIME,
  type Submission,
  Amount,
  PartyId,
  type ContractId,
  Duration,
  Instant,
  LAWS,
  openLedger,
  type Ledger,
  type LedgerOptions,
  type Command,
  type CommandType,
} from '@coinlab/core';
import { allOf, countOfTemplate, lockedHoldingsOf, scanContracts } from '@coinlab/core/views';
import { invariant, type Shape } from '@coinlab/core/workflows';
import { shapeOfCommand } from '../command-shapes.js';
import { RECIPES } from '../generator/commands.js';
import { TestLedger } from '../world/test-ledger.js';
import { walk, type Explored, type Walk } from './walk.js';

type Counted = Exclude<TemplateName, 'Holding'>;

/** A small world for complete exploration: its parties, coins and commands. */
export interface SmallWorld extends Partial<Pick<Walk, 'laws' | 'depth' | 'mostStates' | 'onStep'>> {
  /** The acting parties, in addition to the DSO. */
  readonly parties: readonly PartyId[];
  /** The initial coins of the first party, and the amounts of commands. */
  readonly amounts: readonly Amount[];
  /** The types of commands to try with each party, amount, existing contract and time. */
  readonly commands: readonly CommandType[];
  /** Deadlines of contracts; default: a minute after genesis. Commands are tried now and around each deadline. */
  readonly deadlines?: readonly Instant[];
  /** Templates with deadlines to wait for in addition. */
  readonly waitsFor?: readonly Counted[];
  /**
   * The maximum number of contracts by template, such as `{ TransferInstruction: 1 }`. Exploration stops at states with
   * more.
   */
  readonly most?: { readonly [Name in Counted]?: number };
  /** Values by field name, for fields without a finite set of values: texts, numbers, or optional fields. */
  readonly choices?: { readonly [field: string]: readonly unknown[] };
  /** Options of the ledger; default: those of the default profile. */
  readonly options?: LedgerOptions;
  /** The initial ledger; default: a new ledger with the coins. */
  readonly start?: Ledger;
}

const DEADLINE: Instant = Instant.plus(GENESIS_TIME, Duration.minutes(1));

/**
 * Two parties, three coins, one offer and one preapproval at a time, and time steps around their deadline. Preapprovals
 * are free here, so that there are few coins.
 */
export const SMALL_WORLD: SmallWorld = {
  parties: [PartyId.of('alice'), PartyId.of('bob')],
  amounts: [Amount.of('1'), Amount.of('2'), Amount.of('3')],
  commands: [
    'CreateOffer',
    'AcceptOffer',
    'RejectOffer',
    'WithdrawOffer',
    'ExpireOffer',
    'Unlock',
    'OwnerExpireLock',
    'DirectTransfer',
    'SelfTransfer',
    'MergeHoldings',
    'CreatePreapproval',
    'CancelPreapproval',
    'ExpirePreapproval',
  ],
  most: { TransferInstruction: 1, TransferPreapproval: 1 },
  options: { config: { transferPreapprovalFeeUsd: Amount.zero }, amuletPrice: Amount.of('10') },
};

/**
 * Explores every reachable state of a small world, {@link SMALL_WORLD} or your own. Forks the immutable ledger, merges
 * equal states, and checks all laws on every transition.
 * @returns the size of the exploration, and the shortest path to a broken law, if there is one
 */
export function explore(world: SmallWorld = SMALL_WORLD): Explored {
  const { laws = LAWS, depth, mostStates, onStep, most = {} } = world;
  // The type names every key.
  const limits = Object.entries(most) as [Counted, number][];
  return walk({
    start: startOf(world),
    moves: (ledger) => movesIn(world, ledger),
    laws,
    inside: (state) => limits.every(([template, limit]) => countOfTemplate(state, template) <= limit),
    ...(depth === undefined ? {} : { depth }),
    ...(mostStates === undefined ? {} : { mostStates }),
    ...(onStep === undefined ? {} : { onStep }),
  });
}

export function startOf({ parties, amounts, options = {}, start }: SmallWorld): Ledger {
  if (start) return start;
  const test = new TestLedger(openLedger(options), []);
  for (const party of parties) test.execute({ type: 'AllocateParty', party }, party);
  const [first] = parties;
  invariant(first !== undefined, 'a world has a party in it');
  for (const amount of amounts) test.mint(first, amount);
  return test.ledger;
}

/**
 * Yields all submissions for a ledger: by each party alone, and by all together if the command needs several. A command
 * that all together cannot submit is skipped for single parties, because more authority never causes a refusal.
 */
function* movesIn(world: SmallWorld, ledger: Ledger): Generator<Submission> {
  const { state } = ledger;
  const everybody = [...world.parties, settingsOf(state).dso];
  const times = timesFrom(state.time, [...(world.deadlines ?? [DEADLINE]), ...deadlinesIn(world, state)]);
  for (const type of world.commands) {
    for (const command of commandsOf(type, world, state)) {
      for (const now of times) {
        if (ledger.check(command, { now, actAs: everybody }) !== null) continue;
        for (const party of everybody) yield { command, context: { now, actAs: [party] } };
        if (everybody.every((party) => ledger.check(command, { now, actAs: [party] }) !== null))
          yield { command, context: { now, actAs: everybody } };
      }
    }
  }
}

function timesFrom(now: Instant, deadlines: readonly Instant[]): readonly Instant[] {
  const around = deadlines.flatMap((deadline) => [-1n, 0n, 1n].map((micros) => Instant.ofMicros(deadline + micros)));
  return [now, ...around.filter((time) => time > now)];
}

function deadlinesIn({ waitsFor = [] }: SmallWorld, state: LedgerState): readonly Instant[] {
  const waited = waitsFor.flatMap((template): readonly Contract[] => [...allOf(state, template)]);
  const dueAt = (contract: Contract): Instant | null => templateOf(contract).dueAt(contract);
  return [...new Set(waited.map(dueAt).filter((due) => due !== null))];
}

function* commandsOf(type: CommandType, world: SmallWorld, state: LedgerState): Generator<Command> {
  let forms: { readonly type: CommandType }[] = [{ type }];
  const fields = Object.entries(shapeOfCommand(type)?.fields ?? {});
  // Inputs come last, because they depend on the parties of the command.
  fields.sort(([, a], [, b]) => Number(isInputs(a)) - Number(isInputs(b)));
  for (const [name, shape] of fields) {
    const values = (form: Record<string, unknown>): readonly unknown[] =>
      world.choices?.[name] ??
      (isInputs(shape) ? inputsFor(form, world, state) : valuesOf(type, name, shape, world, state));
    forms = forms.flatMap((form) =>
      values(form).map((value) => (value === undefined ? form : { ...form, [name]: value })),
    );
  }
  // Each form has a value for every field of its command.
  yield* forms as Command[];
}

function isInputs(shape: Shape<unknown>): boolean {
  return shape.inner?.expected === 'contract number' && !shape.optional && shape.expected.startsWith('list');
}

function valuesOf(
  type: CommandType,
  name: string,
  shape: Shape<unknown>,
  world: SmallWorld,
  state: LedgerState,
): readonly unknown[] {
  if (shape.optional) return [undefined];
  switch (shape.expected) {
    case 'party id':
      return world.parties;
    case 'decimal text':
      return world.amounts;
    case 'UTC time':
      return world.deadlines ?? [DEADLINE];
    case 'true or false':
      return [true, false];
    case 'text':
      return [''];
    case 'whole number':
      return [1];
    case 'round number':
      return referable(type, name, world, state).flatMap((contract) => ('round' in contract ? [contract.round] : []));
    case 'contract number':
      return referable(type, name, world, state).map(({ id }) => id);
    case 'contract number or null':
      return [null, ...referable(type, name, world, state).map(({ id }) => id)];
    default:
      // Other types, such as records, need `choices`.
      return [];
  }
}

function referable(type: CommandType, field: string, { parties }: SmallWorld, state: LedgerState): readonly Contract[] {
  if (field === 'holding')
    return parties.flatMap((party) => [...holdingsOf(state, party, 'oldest'), ...lockedHoldingsOf(state, party)]);
  if (field === 'preapproval') return [...allOf(state, 'TransferPreapproval')];
  const needed = RECIPES[type].needs;
  if (!needed) return [...scanContracts(state)];
  return needed.flatMap((template): readonly Contract[] => [...allOf(state, template)]);
}

function inputsFor(
  form: Record<string, unknown>,
  { parties }: SmallWorld,
  state: LedgerState,
): readonly (readonly ContractId[])[] {
  const named = parties.filter((party) => Object.values(form).includes(party));
  return (named.length > 0 ? named : parties).reduce<readonly (readonly ContractId[])[]>(
    (found, party) => {
      const free = [...holdingsOf(state, party, 'oldest')].map(({ id }) => id);
      const locked = [...lockedHoldingsOf(state, party)].map(({ id }) => id);
      return [...found, ...(free.length > 1 ? [free] : []), ...[...free, ...locked].map((id) => [id])];
    },
    [[]],
  );
}
