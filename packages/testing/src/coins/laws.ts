import { offerOf, unlockedOf, type CoinCommand, type CoinRules, type CoinStep, type CoinView } from './coin-ledger.js';

/** A property of every step of a ledger of plain coins and offers. */
export interface CoinLaw {
  readonly name: string;
  readonly holds: (step: CoinStep) => boolean;
}

/** The laws of plain coins and offers. None is a rule of Canton Coin. */
export const COIN_LAWS: readonly CoinLaw[] = [
  {
    name: 'a refused command changes no balance and no coin',
    holds: ({ accepted, before, after }) => accepted || seen(before) === seen(after),
  },
  {
    name: 'only the owner pays, only the receiver accepts or rejects, only the sender withdraws',
    holds: ({ accepted, command, before }) => !accepted || command.by === authorOf(command, before),
  },
  {
    name: 'a payment or an offer has a positive amount and unlocked funds',
    holds: ({ accepted, command, before }) =>
      !accepted || !spends(command) || (command.amount > 0n && command.amount <= unlockedOf(before, command.from)),
  },
  {
    name: 'an offer ends once',
    holds: ({ accepted, command, before }) =>
      !accepted || !('offer' in command) || offerOf(before, command)?.isOpen === true,
  },
  {
    name: 'an offer is accepted before its deadline',
    holds: ({ accepted, command, before, rules }) =>
      !accepted || command.type !== 'accept' || isInTime(command, before, rules),
  },
  {
    name: 'a coin is spent once, by its owner and unlocked',
    holds: ({ accepted, command, before }) => !accepted || areSpendable(command, before),
  },
  {
    name: 'a command takes no more inputs than the limit',
    holds: ({ accepted, command, rules }) => !accepted || inputsOf(command).length <= (rules.maxInputs ?? Infinity),
  },
  {
    name: 'coin is made by mints alone',
    holds: ({ accepted, command, before, after }) =>
      supplyOf(after) - supplyOf(before) === (accepted && command.type === 'mint' ? command.amount : 0n),
  },
  {
    name: 'an accepted command moves its amount from its sender to its receiver and moves nothing else',
    holds: (step) => !step.accepted || movesItsAmount(step),
  },
  {
    name: 'the locked coin of a party covers its open offers, and is none without them',
    holds: ({ after: { balances, offers } }) =>
      [...balances].every(([party, { locked }]) => {
        const open = offers.filter(({ from, isOpen }) => isOpen && from === party);
        const offered = open.reduce((sum, { amount }) => sum + amount, 0n);
        return open.length === 0 ? locked === 0n : locked >= offered;
      }),
  },
  {
    name: 'unlocked coin can be paid, and an open offer can be accepted before its deadline',
    holds: ({ accepted, command, before, rules }) => accepted || !isPossible(command, before, rules),
  },
];

function spends(command: CoinCommand): command is Extract<CoinCommand, { readonly type: 'pay' | 'offer' }> {
  return command.type === 'pay' || command.type === 'offer';
}

function authorOf(command: CoinCommand, before: CoinView): string | undefined {
  if ('from' in command) return command.from;
  if (command.type === 'mint') return command.by;
  // A command for an unknown offer breaks another law.
  const offer = offerOf(before, command);
  if (!offer) return command.by;
  return command.type === 'withdraw' ? offer.from : offer.to;
}

function isInTime(command: CoinCommand, before: CoinView, { acceptsAtDeadline = false }: CoinRules): boolean {
  const deadline = offerOf(before, command)?.deadline ?? Infinity;
  return command.now < deadline || (acceptsAtDeadline && command.now === deadline);
}

function inputsOf(command: CoinCommand): readonly string[] {
  return 'inputs' in command ? (command.inputs ?? []) : [];
}

function areSpendable(command: CoinCommand, { coins }: CoinView): boolean {
  const inputs = inputsOf(command);
  if (!('from' in command) || inputs.length === 0 || coins === null) return true;
  const spendable = (coins.get(command.from) ?? []).filter(({ id, isLocked }) => !isLocked && inputs.includes(id));
  const worth = spendable.reduce((sum, { amount }) => sum + amount, 0n);
  return spendable.length === inputs.length && (command.type !== 'pay' || worth >= command.amount);
}

function movesItsAmount({ command, before, after }: CoinStep): boolean {
  const changes = changesOf(command, before);
  return [...after.balances].every(
    ([party, { total }]) => total - (before.balances.get(party)?.total ?? 0n) === (changes.get(party) ?? 0n),
  );
}

function changesOf(command: CoinCommand, before: CoinView): ReadonlyMap<string, bigint> {
  if (command.type === 'mint') return new Map([[command.to, command.amount]]);
  const payment = command.type === 'pay' ? command : command.type === 'accept' ? offerOf(before, command) : undefined;
  if (!payment || payment.from === payment.to) return new Map();
  return new Map([
    [payment.from, -payment.amount],
    [payment.to, payment.amount],
  ]);
}

/** Whether a sound ledger accepts a command, whatever other rules it has: what is doubtful counts as not possible. */
function isPossible(command: CoinCommand, before: CoinView, rules: CoinRules): boolean {
  if (command.by !== authorOf(command, before)) return false;
  if (command.type === 'accept') {
    const offer = offerOf(before, command);
    return offer?.isOpen === true && command.now < offer.deadline;
  }
  if (command.type !== 'pay' || command.inputs) return false;
  const coins = before.coins?.get(command.from)?.length ?? 0;
  const isFew = coins <= (rules.maxInputs ?? Infinity);
  return isFew && command.amount > 0n && command.amount <= unlockedOf(before, command.from);
}

function supplyOf({ balances }: CoinView): bigint {
  return [...balances.values()].reduce((sum, { total }) => sum + total, 0n);
}

function seen({ balances, coins }: CoinView): string {
  const lines = [...balances].map(([party, { total, locked }]) => `${party} ${total} ${locked}`);
  const ids = [...(coins ?? [])].flatMap(([, each]) => each.map(({ id, amount }) => `${id} ${amount}`));
  return [...lines, ...ids.sort()].join('\n');
}
