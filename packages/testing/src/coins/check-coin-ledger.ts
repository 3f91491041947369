import fc from 'fast-check';
import { readToken, writeToken } from '../checks/token-text.js';
import { GENERATOR, KIT_VERSION } from '../checks/token.js';
import { LedgerAssertionError } from '../failure.js';
import { SequenceArbitrary } from '../generator/sequence.js';
import type { CoinCommand, CoinLedger, CoinRules } from './coin-ledger.js';
import { COIN_COMMANDS, resolveCoinCommand, type CoinFeature, type CoinMoment, type DrawnCoinCommand } from './draw.js';
import { COIN_LAWS, type CoinLaw } from './laws.js';
import { runCoinCommands, type CoinRun, type CoinRunStep } from './run.js';

/** Options of {@link checkCoinLedger}. */
export interface CoinLedgerCheck extends CoinRules {
  readonly ledger: CoinLedger;
  /**
   * Optional features that the ledger has; default: none. `inputs`: payments name the coins to spend.
   * `merge`: the ledger has a merge command.
   */
  readonly draws?: readonly CoinFeature[];
  /** Number of random sequences of commands; default: 1,000. */
  readonly runs?: number;
  /** Maximum number of commands in a sequence; default: 40. */
  readonly maxCommands?: number;
  /** The laws to check; default: {@link COIN_LAWS}. */
  readonly laws?: readonly CoinLaw[];
  /** Whether every run begins with a wallet of 101 coins; default: true. */
  readonly largeWallet?: boolean;
  /** Whether time passes between commands; default: true. Set it to false for a ledger with its own clock. */
  readonly waits?: boolean;
  /** Time limit of the check, including shrinking; default: no limit. */
  readonly seconds?: number;
  readonly seed?: number;
  /** Token of a failure, as its message prints it; the check then repeats only that run. */
  readonly token?: string;
}

/** The report of a check in which no law was broken. */
export interface CoinLedgerReport {
  readonly ledger: string;
  readonly runs: number;
  readonly seed: number;
  readonly commands: number;
  readonly accepted: number;
  /** Types of commands that the ledger does not support. */
  readonly skipped: readonly CoinCommand['type'][];
}

/** The failure of {@link checkCoinLedger}: the broken law with the shortest run that breaks it. */
export class CoinLedgerFailure extends LedgerAssertionError {
  override readonly name: string = 'CoinLedgerFailure';
  /** Name of the broken law, or the message of the error that the ledger threw. */
  readonly broken: string;
  /** The commands after shrinking, each with its answer. The last command breaks the law. */
  readonly steps: readonly CoinRunStep[];
  /** Code that repeats the failure; `ledger` in it is the checked ledger. */
  readonly again: string;
  readonly runs: number;

  constructor({ broken, steps, again, runs }: Pick<CoinLedgerFailure, 'broken' | 'steps' | 'again' | 'runs'>) {
    const lines = steps.map(({ command, answer }, i) => `  ${i + 1}. ${describeCoinCommand(command)} → ${answer}`);
    super([`✗ ${broken}; after ${runs} runs`, ...lines, `  again   ${again}`].join('\n'));
    this.broken = broken;
    this.steps = steps;
    this.again = again;
    this.runs = runs;
  }
}

interface Drawing {
  readonly hasLargeWallet: boolean;
  readonly steps: readonly DrawnCoinCommand[];
}

type Settings = readonly [
  kit: string,
  generator: number,
  ledger: string,
  seed: number,
  path: string,
  maxCommands: number,
  features: readonly string[],
  maxInputs: number | null,
  acceptsAtDeadline: boolean,
  laws: readonly string[] | null,
  largeWallet: boolean,
  waits: boolean,
];

/**
 * Submits random sequences of payments and offers to a ledger and checks the laws of plain coins after each
 * command. The laws include no rule of Canton Coin. The ledger may charge fees in coin only if its answers
 * report them.
 * @throws CoinLedgerFailure with the shortest failing sequence that it finds
 */
export async function checkCoinLedger(check: CoinLedgerCheck): Promise<CoinLedgerReport> {
  const { ledger, runs = 1000 } = check;
  const given = check.token === undefined ? {} : replayOf(check, check.token);
  const counts = { commands: 0, accepted: 0, skipped: new Set<string>() };
  const property = fc.asyncProperty(drawings(check), async (drawing) => {
    const run = await play(check, drawing);
    counts.commands += run.steps.length;
    counts.accepted += run.accepted;
    for (const type of run.skipped) counts.skipped.add(type);
    return run.broken === null;
  });
  const seeded = check.seed === undefined ? {} : { seed: check.seed };
  const limit = check.seconds === undefined ? {} : { interruptAfterTimeLimit: check.seconds * 1000 };
  const details = await fc.check(property, { numRuns: runs, ...limit, ...seeded, ...given });
  const { failed, counterexample, counterexamplePath, seed, numRuns } = details;
  if (!failed || !counterexample) {
    const skipped = COIN_COMMANDS.filter((type, i) => counts.skipped.has(type) && COIN_COMMANDS.indexOf(type) === i);
    return { ledger: ledger.name, runs: numRuns, seed, commands: counts.commands, accepted: counts.accepted, skipped };
  }
  const { broken, steps } = await play(check, counterexample[0]);
  if (broken === null)
    throw new LedgerAssertionError('the ledger answers the same commands in another way the second time');
  const token = writeToken(MARK, settingsOf(check, seed, counterexamplePath ?? ''));
  throw new CoinLedgerFailure({ broken, steps, again: againCode(check, token), runs: numRuns });
}

const MARK = 'coins4';

function settingsOf(check: CoinLedgerCheck, seed: number, path: string): Settings {
  const { ledger, maxCommands = 40, draws = [], maxInputs = null, acceptsAtDeadline = false, laws } = check;
  const names = laws && laws !== COIN_LAWS ? laws.map(({ name }) => name) : null;
  const { largeWallet = true, waits = true } = check;
  const rules = [draws, maxInputs, acceptsAtDeadline, names, largeWallet, waits] as const;
  return [KIT_VERSION, GENERATOR, ledger.name, seed, path, maxCommands, ...rules];
}

function replayOf(
  check: CoinLedgerCheck,
  text: string,
): { seed: number; path: string; numRuns: number; endOnFailure: boolean } {
  const read = readToken(MARK, text);
  if (read === null || !isSettings(read)) throw new LedgerAssertionError(`"${text}" is no token of checkCoinLedger`);
  const [kit, generator, , seed, path] = read;
  const [, , ledger, , , ...used] = read;
  const [ownKit, ownGenerator, ownLedger, , , ...own] = settingsOf(check, seed, path);
  if (kit !== ownKit || generator !== ownGenerator)
    throw new LedgerAssertionError(`the token is of kit ${kit}, generator ${generator}, which draws other commands`);
  if (ledger !== ownLedger) throw new LedgerAssertionError(`the token is of the ledger ${ledger}, not ${ownLedger}`);
  if (JSON.stringify(used) !== JSON.stringify(own)) {
    const names = '[maxCommands, draws, maxInputs, acceptsAtDeadline, laws, largeWallet, waits]';
    throw new LedgerAssertionError(
      `the run of the token used ${names} ${JSON.stringify(used)}, but the check has ${JSON.stringify(own)}`,
    );
  }
  return { seed, path, numRuns: 1, endOnFailure: true };
}

function isSettings(json: unknown): json is Settings {
  return Array.isArray(json) && json.length === 12 && Number.isInteger(json[3]) && typeof json[4] === 'string';
}

function againCode(check: CoinLedgerCheck, token: string): string {
  const { maxCommands, draws, maxInputs, acceptsAtDeadline, laws, largeWallet, waits } = check;
  const settings = { maxCommands, draws, maxInputs, acceptsAtDeadline, largeWallet, waits };
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  const parts = ['ledger', ...given, ...(laws ? ['laws'] : []), `token: '${token}'`];
  return `await checkCoinLedger({ ${parts.join(', ')} })`;
}

function drawings({ maxCommands = 40, largeWallet = true }: CoinLedgerCheck): fc.Arbitrary<Drawing> {
  const command = fc.record({
    type: fc.constantFrom(...COIN_COMMANDS),
    rolls: fc.array(fc.noBias(fc.nat(0xf_ffff)), { minLength: 16, maxLength: 16 }),
  });
  return fc.record({
    hasLargeWallet: largeWallet ? new TrueFirst() : fc.constant(false),
    steps: new SequenceArbitrary(command, maxCommands),
  });
}

/** Always true; shrinks to false. A shrunk failure therefore has the large wallet only if the failure needs it. */
class TrueFirst extends fc.Arbitrary<boolean> {
  override generate(): fc.Value<boolean> {
    return new fc.Value(true, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is boolean {
    return typeof value === 'boolean';
  }

  override shrink(value: boolean): fc.Stream<fc.Value<boolean>> {
    return value ? fc.Stream.of(new fc.Value(false, undefined)) : fc.Stream.nil();
  }
}

function play(check: CoinLedgerCheck, { hasLargeWallet, steps }: Drawing): Promise<CoinRun> {
  const { ledger, draws: features = [], laws = COIN_LAWS, maxInputs, acceptsAtDeadline = false, waits = true } = check;
  const rules = { acceptsAtDeadline, ...(maxInputs === undefined ? {} : { maxInputs }) };
  const commands = steps.map((step) => (moment: CoinMoment) => resolveCoinCommand(step, { features, waits }, moment));
  return runCoinCommands({ ledger, rules, laws, hasLargeWallet }, commands);
}

/** Returns a command as one line of text. */
export function describeCoinCommand({ type, by, now, ...fields }: CoinCommand): string {
  const terms = Object.entries(fields).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : value}`,
  );
  return `${now} s: ${type} ${terms.join(', ')}, by ${by}`;
}
