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

/** A world so small that all of it can be walked: who is in it, with what coin, and what they may try. */
export interface SmallWorld extends Partial<Pick<Walk, 'laws' | 'depth' | 'mostStates' | 'onStep'>> {
  /** Who acts, besides the DSO. */
  readonly parties: readonly PartyId[];
  /** The coins that the first party starts with; and the amounts that commands are about. */
  readonly amounts: readonly Amount[];
  /** What is tried, in every way: by each party, for each amount, of each contract there is, at each time. */
  readonly commands: readonly CommandType[];
  /** When whatever has a deadline ends; left out: a minute after genesis. Commands are tried at once and around each. */
  readonly deadlines?: readonly Instant[];
  /** Templates of contracts whose own deadlines are waited for, too. */
  readonly waitsFor?: readonly Counted[];
  /** Most contracts of a template at a time: `{ TransferInstruction: 1 }`. The walk does not go on from a state that has more. */
  readonly most?: { readonly [Name in Counted]?: number };
  /** What fields are tried with, by name, where their type does not say it: texts, numbers, or fields that may be left out. */
  readonly choices?: { readonly [field: string]: readonly unknown[] };
  /** Rules and numbers of the ledger; left out: those of the default profile. */
  readonly options?: LedgerOptions;
  /** Goes on from here instead of from a new ledger with the coins in it. */
  readonly start?: Ledger;
}

const DEADLINE: Instant = Instant.plus(GENESIS_TIME, Duration.minutes(1));

/**
 * Two parties, three coins, one offer and one preapproval at a time, and time steps around their deadline. The network burns
 * nothing for a preapproval here, so that coins stay few.
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
 * Walks every reachable state of a small world: {@link SMALL_WORLD}, or one of your own, forking the immutable ledger and merging
 * equal states. All laws are checked on every way from state to state.
 * @returns how much was seen, and the shortest way to a broken law, if there is one
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

/** The ledger from which a world is walked. */
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
 * Everything that can be tried on a ledger: by each party alone, and by all together where it takes several. What is refused even
 * to all together is not tried by each, since nobody is refused for having more authority.
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

/** Now, and the last moment before, at and after each deadline that is not past. */
function timesFrom(now: Instant, deadlines: readonly Instant[]): readonly Instant[] {
  const around = deadlines.flatMap((deadline) => [-1n, 0n, 1n].map((micros) => Instant.ofMicros(deadline + micros)));
  return [now, ...around.filter((time) => time > now)];
}

function deadlinesIn({ waitsFor = [] }: SmallWorld, state: LedgerState): readonly Instant[] {
  const waited = waitsFor.flatMap((template): readonly Contract[] => [...allOf(state, template)]);
  const dueAt = (contract: Contract): Instant | null => templateOf(contract).dueAt(contract);
  return [...new Set(waited.map(dueAt).filter((due) => due !== null))];
}

/** A command of one type in all its forms: every combination of what each of its fields can be. */
function* commandsOf(type: CommandType, world: SmallWorld, state: LedgerState): Generator<Command> {
  let forms: Record<string, unknown>[] = [{ type }];
  const fields = Object.entries(shapeOfCommand(type)?.fields ?? {});
  // Inputs come last: they are tried for the parties that the command names.
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
  yield* forms as unknown as Command[];
}

function isInputs(shape: Shape<unknown>): boolean {
  return shape.inner?.expected === 'contract number' && !shape.optional && shape.expected.startsWith('list');
}

/** What a field can be; `undefined` leaves it out. */
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
      // A record, say: the world has to say what it is tried with.
      return [];
  }
}

/** The contracts that a command of a type is about. */
function referable(type: CommandType, field: string, { parties }: SmallWorld, state: LedgerState): readonly Contract[] {
  if (field === 'holding')
    return parties.flatMap((party) => [...holdingsOf(state, party, 'oldest'), ...lockedHoldingsOf(state, party)]);
  if (field === 'preapproval') return [...allOf(state, 'TransferPreapproval')];
  const needed = RECIPES[type].needs;
  if (!needed) return [...scanContracts(state)];
  return needed.flatMap((template): readonly Contract[] => [...allOf(state, template)]);
}

/** All the coins of a party that the command names, each of them alone, and locked ones too; and none at all. */
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
