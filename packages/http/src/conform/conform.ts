import { Amount } from '@coinlab/core';
import { checkCoinLedger, CoinLedgerFailure, describeCoinCommand } from '@coinlab/testing';
import { Wallets } from './cast.js';
import { Client, Connection, ServerFault, Unreachable, type Deployment } from './deployment.js';
import { checkInstruments, INSTRUMENTS, Probes, type ProbeOutcome } from './probes.js';
import { CheckedLaws, LAW_RULES, PROBES, SERVER_FAULT, UNCHECKED, type ConformRule, type ProbeName } from './rules.js';
import { walletLedger } from './wallet-ledger.js';

/** Options of {@link conform}. */
export interface ConformOptions {
  readonly deployment: Deployment;
  /** Number of random sequences of commands; default: 50. */
  readonly runs?: number;
  readonly seed?: number;
  /** Time limit of the check; rules that it leaves unchecked are skipped. Default: 120. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (rule: string) => void;
}

/** The result of one rule. */
export interface RuleResult extends ConformRule {
  readonly status: 'held' | 'violated' | 'skipped';
  /** Number of commands and repeated requests that could have violated the rule. */
  readonly checks: number;
  readonly reason?: string;
  /** The shortest sequence of commands that violates the rule, with the answers. */
  readonly story?: readonly string[];
}

/** The result of every rule; a rule that was not checked is skipped with its reason. */
export interface ConformReport {
  readonly seed: number;
  readonly serves: readonly ('wallet' | 'registry')[];
  readonly rules: readonly RuleResult[];
}

/** Checks a deployment of the wallet and registry routes. Throws {@link Unreachable} when it does not answer. */
export async function conform(options: ConformOptions): Promise<ConformReport> {
  const check = new Check(options);
  await check.registry();
  await check.wallet();
  const report = check.report();
  if (report.serves.length === 0) throw new Unreachable(`neither GET ${STATUS} nor GET ${INSTRUMENTS} is served here`);
  return report;
}

const STATUS = '/v0/wallet/user-status';

const REPETITIONS: Readonly<Record<ProbeName, number>> = {
  deadline: 1,
  balance: 3,
  tracking: 2,
  ends: 5,
  funds: 5,
  ids: 5,
  instruments: 1,
};

/** Rules that compare exact amounts, and so cannot be checked with fees. */
const EXACT: ReadonlySet<string> = new Set([
  'conservation',
  'exact-amount',
  'tracking-id',
  'race-ends',
  'race-funds',
  'race-tracking-id',
]);

class Check {
  readonly #options: ConformOptions;
  readonly #connection: Connection;
  readonly #ends: number;
  readonly #seed: number;
  readonly #results: Map<string, RuleResult> = new Map();
  readonly #serves: ('wallet' | 'registry')[] = [];

  constructor(options: ConformOptions) {
    this.#options = options;
    this.#connection = new Connection(options.deployment, options.signal);
    this.#ends = performance.now() + (options.seconds ?? 120) * 1000;
    this.#seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  }

  async registry(): Promise<void> {
    await this.#probe('instruments', () => checkInstruments(new Client(this.#connection, null)));
    if (this.#results.get(PROBES.instruments.id)?.status !== 'skipped') this.#serves.push('registry');
  }

  async wallet(): Promise<void> {
    const missing = await walletObstacle(this.#connection);
    if (missing !== null) return this.#skipWallet(missing);
    this.#serves.push('wallet');
    const wallets = new Wallets(this.#connection);
    const probes = new Probes(wallets, this.#connection);
    const fee = await this.#feeOf(wallets);
    for (const name of ['balance', 'deadline', 'tracking', 'ends', 'funds', 'ids'] as const)
      if (fee > 0n && EXACT.has(PROBES[name].id)) this.#skip(PROBES[name], feeReason(fee));
      else await this.#probe(name, () => probes[name]().finally(() => wallets.withdrawAll()));
    await this.#laws(wallets, fee);
  }

  report(): ConformReport {
    const order = [...LAW_RULES, ...UNCHECKED, ...Object.values(PROBES), SERVER_FAULT];
    const rules = order.flatMap(({ id }) => this.#results.get(id) ?? []);
    return { seed: this.#seed, serves: this.#serves, rules };
  }

  get #secondsLeft(): number {
    return (this.#ends - performance.now()) / 1000;
  }

  #skipWallet(reason: string): void {
    const { deadline, balance, tracking, ends, funds, ids } = PROBES;
    for (const rule of [...LAW_RULES, ...UNCHECKED, deadline, balance, tracking, ends, funds, ids, SERVER_FAULT])
      this.#skip(rule, reason);
  }

  #skip({ id, rule, source }: ConformRule, reason: string): void {
    this.#results.set(id, { id, rule, source, status: 'skipped', checks: 0, reason });
  }

  #settle({ id, rule, source }: ConformRule, checks: number, story?: readonly string[]): void {
    this.#results.set(id, {
      id,
      rule,
      source,
      checks,
      ...(story ? { status: 'violated', story } : { status: 'held' }),
    });
  }

  async #feeOf(wallets: Wallets): Promise<bigint> {
    return this.#secondsLeft <= 0 ? 0n : wallets.feeOfPayment();
  }

  async #probe(name: ProbeName, run: () => Promise<ProbeOutcome>): Promise<void> {
    const rule = PROBES[name];
    this.#options.onProgress?.(rule.rule);
    for (let done = 0; done < REPETITIONS[name]; done++) {
      if (this.#secondsLeft <= 0) {
        if (done === 0) this.#skip(rule, 'the time budget was used up');
        return;
      }
      const outcome = await this.#guarded(run);
      if (outcome !== null && 'skipped' in outcome) return this.#skip(rule, outcome.skipped);
      this.#settle(rule, done + 1, outcome?.story);
      if (outcome) return;
    }
  }

  async #guarded(run: () => Promise<ProbeOutcome>): Promise<ProbeOutcome> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      this.#settle(SERVER_FAULT, 1, [error.message]);
      return { skipped: error.message };
    }
  }

  async #laws(wallets: Wallets, fee: bigint): Promise<void> {
    const { runs = 50, deployment } = this.#options;
    const checked = new CheckedLaws();
    const ledger = walletLedger(wallets, 'deployment');
    for (const one of UNCHECKED) this.#skip(one, one.reason);
    const skip = (id: string, reason: string): void => {
      for (const law of LAW_RULES.filter((one) => one.id === id)) {
        checked.exclude(law.rule);
        this.#skip(law, reason);
      }
    };
    if (deployment.users !== null) skip('liveness', 'it needs new users: pass --secret without --party');
    if (fee > 0n) for (const { id } of LAW_RULES) if (EXACT.has(id)) skip(id, feeReason(fee));
    for (let isOver = false; !isOver && this.#secondsLeft > 0;) {
      this.#options.onProgress?.('random commands');
      const settings = { laws: checked.laws, largeWallet: false, waits: false, maxCommands: 20 };
      const failure = await checkCoinLedger({
        ledger,
        ...settings,
        runs,
        seed: this.#seed,
        seconds: this.#secondsLeft,
      }).then(
        () => null,
        (error: unknown) => error,
      );
      isOver = !(failure instanceof CoinLedgerFailure) || !this.#violated(failure, checked);
      if (failure !== null && !(failure instanceof CoinLedgerFailure)) throw failure;
    }
    for (const law of LAW_RULES) {
      if (this.#results.has(law.id)) continue;
      const count = checked.countOf(law.rule);
      if (count > 0) this.#settle(law, count);
      else this.#skip(law, 'no random command concerned it: raise --runs or --seconds');
    }
    if (!this.#results.has(SERVER_FAULT.id)) this.#settle(SERVER_FAULT, this.#connection.requests);
  }

  #violated({ broken, steps }: CoinLedgerFailure, checked: CheckedLaws): boolean {
    const story = steps.map(
      ({ command, answer }, place) => `${place + 1}. ${describeCoinCommand(command)} → ${answer}`,
    );
    const law = LAW_RULES.find(({ rule }) => rule === broken);
    if (!law) {
      if (this.#connection.lost) throw this.#connection.lost;
      this.#settle(SERVER_FAULT, 1, [...story, broken]);
      return false;
    }
    this.#settle(law, checked.countOf(broken), story);
    checked.exclude(broken);
    return true;
  }
}

function feeReason(fee: bigint): string {
  return `the deployment charges fees: ${Amount.short(Amount.ofUnits(fee))} for a payment of 1.00`;
}

async function walletObstacle(connection: Connection): Promise<string | null> {
  const { status } = await new Client(connection, null).get(STATUS);
  if (status === 404) return `GET ${STATUS} is not served here: name the URL of a validator`;
  return connection.deployment.tokenOf === null ? 'the wallet routes need --secret, or five times --token' : null;
}
