import type { Command, CommandType, Contract, ContractId, Instant, PartyId } from '@coinlab/core';
import type { LedgerSession, LedgerSystem, SubmitAnswer } from '@coinlab/testing';

interface Coin {
  readonly owner: string;
  readonly amount: bigint;
}

interface Offer {
  readonly sender: string;
  readonly receiver: string;
  readonly amount: bigint;
  readonly expiresAt: bigint;
  readonly isAccepted: boolean;
}

/**
 * A foreign ledger with its own ids and refusals and a fixed price of half a cent. It shares no code with the
 * core.
 */
export class NaiveLedger {
  readonly coins: Map<string, Coin> = new Map();
  readonly offers: Map<string, Offer> = new Map();
  readonly #trackingIds: Set<string> = new Set();
  #ids = 0;

  tap(owner: string, amount: bigint, trackingId: string | undefined): string {
    this.#require(amount > 0n && amount < 10n ** 38n, 'bad amount');
    if (trackingId !== undefined) this.#useTrackingId(`tap ${owner} ${trackingId}`, trackingId);
    return this.#coin(owner, amount);
  }

  merge(owner: string, inputs: readonly string[]): string {
    this.#require(inputs.length > 0, 'nothing to merge');
    return this.#coin(owner, this.#spend(owner, inputs));
  }

  offer(offer: Omit<Offer, 'isAccepted'>, description: string, trackingId: string): string {
    this.#require(offer.amount > 0n, 'bad amount');
    this.#require([...description].length < 280, 'long text');
    this.#useTrackingId(`offer ${offer.sender} ${trackingId}`, trackingId);
    return this.#add(this.offers, 'offer', { ...offer, isAccepted: false });
  }

  accept(id: string, now: bigint): string {
    const offer = this.offers.get(id);
    this.#require(offer !== undefined && !offer.isAccepted && now < offer.expiresAt, 'no such offer');
    this.offers.delete(id);
    return this.#add(this.offers, 'offer', { ...(offer as Offer), isAccepted: true });
  }

  complete(id: string, inputs: readonly string[], now: bigint): void {
    const { sender, receiver, amount, expiresAt, isAccepted } = this.offers.get(id) ?? NO_OFFER;
    this.#require(isAccepted && now < expiresAt, 'no such offer');
    const spent = this.#spend(sender, inputs, amount);
    this.offers.delete(id);
    this.#coin(receiver, amount);
    if (spent > amount) this.#coin(sender, spent - amount);
  }

  totalOf(party: string): bigint {
    return [...this.coins.values()].reduce((sum, { owner, amount }) => sum + (owner === party ? amount : 0n), 0n);
  }

  #spend(owner: string, inputs: readonly string[], least: bigint = 0n): bigint {
    const spent = inputs.map((id) => this.coins.get(id));
    this.#require(new Set(inputs).size === inputs.length && inputs.length <= 100, 'bad inputs');
    const own = spent.every((coin) => coin?.owner === owner);
    this.#require(own, 'not your coin');
    const sum = spent.reduce((total, coin) => total + (coin?.amount ?? 0n), 0n);
    this.#require(sum < 10n ** 38n && least < 10n ** 38n, 'too much');
    this.#require(sum >= least, 'too little');
    for (const id of inputs) this.coins.delete(id);
    return sum;
  }

  #coin(owner: string, amount: bigint): string {
    return this.#add(this.coins, 'coin', { owner, amount });
  }

  #add<Thing>(things: Map<string, Thing>, kind: string, thing: Thing): string {
    const id = `${kind}-${(this.#ids += 1)}`;
    things.set(id, thing);
    return id;
  }

  #useTrackingId(key: string, trackingId: string): void {
    this.#require([...trackingId].length < 280 && !this.#trackingIds.has(key), 'bad tracking id');
    this.#trackingIds.add(key);
  }

  #require(holds: boolean, otherwise: string): void {
    if (!holds) throw new Refused(otherwise);
  }
}

class Refused extends Error {}

const NO_OFFER: Offer = { sender: '', receiver: '', amount: 0n, expiresAt: 0n, isAccepted: false };

export const NAIVE_COMMANDS = [
  'Tap',
  'MergeHoldings',
  'CreateWalletOffer',
  'AcceptWalletOffer',
  'CompleteWalletOffer',
] as const satisfies readonly CommandType[];

/**
 * Returns the adapter to a naive ledger. It translates the core's commands, and maps the core's contract ids
 * to those of the ledger.
 */
export function naiveSystem(make: () => NaiveLedger = () => new NaiveLedger()): LedgerSystem {
  return { name: 'naive', open: (start) => session(make(), start.state.time) };
}

function session(ledger: NaiveLedger, begun: Instant): LedgerSession {
  const theirs = new Map<ContractId, string>();
  let time = begun;
  return {
    submit(command, { now, actAs }, ours): SubmitAnswer {
      const known = new Set([...ledger.coins.keys(), ...ledger.offers.keys()]);
      // Later commands refer to contracts by the ids of the core.
      const own = ours();
      const created = own.ok ? own.value.created : [];
      try {
        if (now < time) throw new Refused('too early');
        perform(ledger, command, { now, actAs, theirs });
      } catch (error) {
        if (error instanceof Refused) return { accepted: false, code: error.message };
        throw error;
      }
      time = now;
      for (const contract of created) {
        const id = counterpart(ledger, contract, known);
        if (id === undefined) continue;
        theirs.set(contract.id, id);
        known.add(id);
      }
      return { accepted: true };
    },
    totalOf: (party) => ledger.totalOf(party),
  };
}

interface Asked {
  readonly now: Instant;
  readonly actAs: readonly PartyId[];
  readonly theirs: ReadonlyMap<ContractId, string>;
}

function perform(ledger: NaiveLedger, command: Command, { now, actAs, theirs }: Asked): void {
  const id = (ours: ContractId): string => theirs.get(ours) ?? 'unknown';
  const require = (...parties: readonly (string | undefined)[]): void => {
    if (!parties.every((party) => actAs.some((actor) => actor === party))) throw new Refused('not authorised');
  };
  switch (command.type) {
    case 'Tap':
      require(command.receiver);
      return void ledger.tap(command.receiver, command.amount, command.trackingId);
    case 'MergeHoldings':
      require(command.owner);
      return void ledger.merge(command.owner, command.inputs.map(id));
    case 'CreateWalletOffer': {
      const { sender, receiver, amount, unit, expiresAt, description, trackingId } = command;
      require(sender);
      // The price is half a cent, so a dollar is two hundred coins.
      const coin = unit === 'usd' ? amount * 200n : amount;
      if (amount >= 10n ** 38n) throw new Refused('bad amount');
      return void ledger.offer({ sender, receiver, amount: coin, expiresAt }, description, trackingId);
    }
    case 'AcceptWalletOffer':
      require(ledger.offers.get(id(command.offer))?.receiver);
      return void ledger.accept(id(command.offer), now);
    case 'CompleteWalletOffer':
      require(ledger.offers.get(id(command.accepted))?.sender, command.walletProvider);
      return ledger.complete(id(command.accepted), command.inputs.map(id), now);
    default:
      throw new Refused('unknown command');
  }
}

/** Returns the id of the new object of the naive ledger that corresponds to a contract of the core. */
function counterpart(ledger: NaiveLedger, contract: Contract, known: ReadonlySet<string>): string | undefined {
  switch (contract.template) {
    case 'Holding':
      return [...ledger.coins].find(
        ([id, { owner, amount }]) => !known.has(id) && owner === contract.owner && amount === contract.amount,
      )?.[0];
    case 'TransferOffer':
    case 'AcceptedTransferOffer':
      return [...ledger.offers.keys()].find((id) => !known.has(id));
    default:
      return undefined;
  }
}
