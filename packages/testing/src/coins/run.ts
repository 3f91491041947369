import {
  COIN_PARTIES,
  ISSUER,
  type CoinAnswer,
  type CoinBalance,
  type Coin,
  type CoinCommand,
  type CoinLedger,
  type CoinRules,
  type CoinSession,
  type CoinView,
  type KnownOffer,
} from './coin-ledger.js';
import type { CoinMoment } from './draw.js';
import { isPossible, type CoinLaw } from './laws.js';
import { isAcceptedAnew } from './retry.js';

/** A command of a run with its answer as text: `accepted`, or the reason of the refusal. */
export interface CoinRunStep {
  readonly command: CoinCommand;
  readonly answer: string;
}

export interface CoinRun {
  readonly steps: readonly CoinRunStep[];
  readonly broken: string | null;
  readonly skipped: ReadonlySet<string>;
  readonly accepted: number;
  readonly view: CoinView;
}

export interface CoinRunPlan {
  readonly ledger: CoinLedger;
  readonly rules: CoinRules;
  readonly laws: readonly CoinLaw[];
  readonly hasLargeWallet: boolean;
}

/** One more than the usual limit of inputs. */
const LARGE_WALLET = 101;

export async function runCoinCommands(
  plan: CoinRunPlan,
  commands: readonly ((moment: CoinMoment) => CoinCommand | null)[],
): Promise<CoinRun> {
  const session = await plan.ledger.open();
  const current = new Run(plan, session);
  try {
    await current.begin();
    for (const command of commands) {
      await current.take(command);
      if (current.broken !== null) break;
    }
  } catch (error) {
    current.broken = `the ledger throws: ${error instanceof Error ? error.message : String(error)}`;
  }
  await session.close?.();
  return current;
}

class Run implements CoinRun {
  readonly #plan: CoinRunPlan;
  readonly #session: CoinSession;
  readonly #accepted: CoinCommand[] = [];
  readonly #knownCoins: Set<string> = new Set();
  readonly #offers: KnownOffer[] = [];
  view: CoinView = { balances: new Map(), coins: null, offers: [] };
  #now = 0;
  readonly steps: CoinRunStep[] = [];
  readonly skipped: Set<string> = new Set();
  broken: string | null = null;

  constructor(plan: CoinRunPlan, session: CoinSession) {
    this.#plan = plan;
    this.#session = session;
  }

  get accepted(): number {
    return this.#accepted.length;
  }

  async begin(): Promise<void> {
    this.view = await this.#observed();
    const few = COIN_PARTIES.map((to) => ({ to, amount: 100n }));
    const many = Array.from({ length: LARGE_WALLET - 1 }, () => ({ to: COIN_PARTIES[3], amount: 100n }));
    const mints = this.#plan.hasLargeWallet ? [...few, ...many] : few;
    for (const mint of mints) {
      const answer = await this.#session.submit({ type: 'mint', ...mint, by: ISSUER, now: 0 });
      if (!('accepted' in answer && answer.accepted))
        throw new Error(`the ledger must accept { type: 'mint', to: '${mint.to}', amount: ${mint.amount}n }`);
    }
    this.view = await this.#observed();
  }

  async take(write: (moment: CoinMoment) => CoinCommand | null): Promise<void> {
    const moment = { view: this.view, now: this.#now, accepted: this.#accepted, knownCoins: [...this.#knownCoins] };
    const command = write({ ...moment, rules: this.#plan.rules });
    if (!command) return;
    this.#now = command.now;
    const answer = await this.#submit(command);
    if ('skipped' in answer) return void this.skipped.add(command.type);
    const { accepted } = answer;
    const fee = accepted ? (answer.fee ?? 0n) : 0n;
    this.steps.push({ command, answer: accepted ? 'accepted' : answer.reason });
    const before = this.view;
    if (accepted) this.#follow(command, answer.id);
    this.view = await this.#observed();
    const { ledger, rules } = this.#plan;
    const isDoubtful = !accepted && isPossible(command, before);
    const anew = isDoubtful && (await isAcceptedAnew(ledger, command, before));
    const step = { command, accepted, fee, isAcceptedAnew: anew, before, after: this.view, rules };
    this.broken = this.#plan.laws.find(({ holds }) => !holds(step))?.name ?? null;
  }

  async #submit(command: CoinCommand): Promise<CoinAnswer> {
    try {
      return await this.#session.submit(command);
    } catch (error) {
      this.steps.push({ command, answer: 'throws' });
      throw error;
    }
  }

  #follow(command: CoinCommand, id: string | undefined): void {
    this.#accepted.push(command);
    if (command.type === 'offer') {
      if (id === undefined) throw new Error('the answer to an accepted offer must have its id');
      const { from, to, amount, deadline } = command;
      this.#offers.push({ id, from, to, amount, deadline, madeAt: command.now, end: null });
    } else if ('offer' in command) {
      const place = this.#offers.findIndex((offer) => offer.id === command.offer);
      const offer = this.#offers[place];
      if (offer) this.#offers[place] = { ...offer, end: offer.end ?? command.type };
    }
  }

  async #observed(): Promise<CoinView> {
    const balances = new Map<string, CoinBalance>();
    const coins = new Map<string, readonly Coin[]>();
    for (const party of COIN_PARTIES) {
      balances.set(party, await this.#session.balanceOf(party));
      const own = await this.#session.coinsOf?.(party);
      if (!own) continue;
      coins.set(party, own);
      for (const { id } of own) this.#knownCoins.add(id);
    }
    return { balances, coins: this.#session.coinsOf ? coins : null, offers: [...this.#offers] };
  }
}
