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

/** The parties, coins and commands of a complete exploration. */
export interface SmallWorld extends Partial<Pick<Walk, 'laws' | 'depth' | 'mostStates' | 'onStep'>> {
  /** The acting parties, in addition to the DSO. */
  readonly parties: readonly PartyId[];
  /** The amounts of the first party's coins; commands draw their amounts from the same list. */
  readonly amounts: readonly Amount[];
  /** The types of commands. Each is tried with every party, amount, existing contract and time. */
  readonly commands: readonly CommandType[];
  /**
   * Deadlines for new contracts; default: one minute after genesis. Commands are tried at the current time
   * and around each deadline.
   */
  readonly deadlines?: readonly Instant[];
  /** Additional templates whose deadlines are used as times of commands. */
  readonly waitsFor?: readonly Counted[];
  /**
   * The maximum number of contracts by template, such as `{ TransferInstruction: 1 }`. States with more
   * contracts are not explored further.
   */
  readonly most?: { readonly [Name in Counted]?: number };
  /** Values by field name, for fields whose type has no finite set of values, such as texts and numbers. */
  readonly choices?: { readonly [field: string]: readonly unknown[] };
  /** Options of the ledger; default: those of the default profile. */
  readonly options?: LedgerOptions;
  /** The initial ledger; default: a new ledger with the coins of `amounts`. */
  readonly start?: Ledger;
}

const DEADLINE: Instant = Instant.plus(GENESIS_TIME, Duration.minutes(1));

/**
 * Two parties, three coins, at most one offer and one preapproval at a time, and times around their
 * deadlines. Preapprovals are free in this world, so few coins suffice.
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
 * Explores every reachable state of a small world: {@link SMALL_WORLD} or your own. Equal states are merged,
 * and all laws are checked on every transition.
 * @returns the size of the exploration, and the shortest path to a broken law if there is one
 */
export function explore(world: SmallWorld = SMALL_WORLD): Explored {
  const { laws = LAWS, depth, mostStates, onStep, most = {} } = world;
  // Cast: the type of `most` allows only template names as keys.
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
 * If all parties together cannot submit a command, single parties are skipped: more authority never causes a refusal.
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
  // Cast: each form has a value for every field of its command.
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
      // Fields of other types, such as records, need `choices`.
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
