import {
  offerOf,
  unlockedOf,
  type CoinCommand,
  type CoinRules,
  type CoinStep,
  type CoinView,
  type KnownOffer,
} from './coin-ledger.js';

/** A property of every step of a ledger of plain coins and offers. */
export interface CoinLaw {
  readonly name: string;
  readonly holds: (step: CoinStep) => boolean;
}

/** The laws of plain coins and offers. They include no rule of Canton Coin. */
export const COIN_LAWS: readonly CoinLaw[] = [
  {
    name: 'a refused command changes no balance and no coin',
    holds: (step) => step.accepted || isUnchanged(step),
  },
  {
    name: 'only the owner pays, only the receiver accepts, only a party of an offer ends it before its deadline',
    holds: ({ accepted, command, before }) =>
      !accepted || hasEnded(command, before) || authorsOf(command, before).includes(command.by),
  },
  {
    name: 'a payment or an offer has unlocked funds and no negative amount',
    holds: ({ accepted, command, before, fee }) =>
      !accepted ||
      !spends(command) ||
      (command.amount >= 0n && command.amount + fee <= spendableOf(before, command.from, command.now)),
  },
  {
    name: 'an offer ends once',
    holds: (step) => !step.accepted || !('offer' in step.command) || endsOnce(step, step.command.type),
  },
  {
    name: 'an offer is accepted before its deadline',
    holds: ({ accepted, command, before, rules }) =>
      !accepted || command.type !== 'accept' || hasEnded(command, before) || isInTime(command, before, rules),
  },
  {
    name: 'a coin is spent once, by its owner and unlocked',
    holds: ({ accepted, command, before }) => !accepted || areSpendable(command, before),
  },
  {
    name: 'a command takes no more inputs than the limit',
    holds: (step) => !step.accepted || takenBy(step) <= (step.rules.maxInputs ?? Infinity),
  },
  {
    name: 'coin is made by mints alone and lost to fees alone',
    holds: ({ accepted, command, before, after, fee }) =>
      fee >= 0n &&
      supplyOf(after) - supplyOf(before) === (accepted && command.type === 'mint' ? command.amount : 0n) - fee,
  },
  {
    name: 'an accepted command moves its amount from its sender to its receiver and moves nothing else',
    holds: (step) => !step.accepted || movesItsAmount(step),
  },
  {
    name: 'the locked coin of a party covers its open offers until their deadlines, and is none without them',
    holds: ({ command: { now }, after: { balances, offers } }) =>
      [...balances].every(([party, { locked }]) => {
        const open = offers.filter(({ from, end }) => end === null && from === party);
        const running = open.filter(({ deadline }) => now < deadline);
        const offered = running.reduce((sum, { amount }) => sum + amount, 0n);
        return open.length === 0 ? locked === 0n : locked >= offered;
      }),
  },
  {
    name: 'unlocked coin can be paid, and an open offer can be accepted before its deadline',
    holds: ({ accepted, isAcceptedAnew }) => accepted || !isAcceptedAnew,
  },
];

function spends(command: CoinCommand): command is Extract<CoinCommand, { readonly type: 'pay' | 'offer' }> {
  return command.type === 'pay' || command.type === 'offer';
}

function authorsOf(command: CoinCommand, before: CoinView): readonly string[] {
  if ('from' in command) return [command.from];
  if (command.type === 'mint') return [command.by];
  const offer = offerOf(before, command);
  // A command for an unknown offer is the subject of another law.
  if (!offer) return [command.by];
  if (command.type === 'accept') return [offer.to];
  // The receiver may also withdraw and the sender reject. After the deadline some ledgers return the coin for
  // any party.
  return command.now < offer.deadline ? [offer.from, offer.to] : [command.by];
}

function hasEnded(command: CoinCommand, before: CoinView): boolean {
  return typeof offerOf(before, command)?.end === 'string';
}

/** Idempotent interfaces may repeat the end of an ended offer without effect. */
function endsOnce({ command, before, after }: CoinStep, end: CoinCommand['type']): boolean {
  const offer = offerOf(before, command);
  if (!offer) return false;
  const isRepeated = (offer.end === 'accept') === (end === 'accept');
  return offer.end === null || (isRepeated && balancesOf(before) === balancesOf(after));
}

function isInTime(command: CoinCommand, before: CoinView, { acceptsAtDeadline = false }: CoinRules): boolean {
  const deadline = offerOf(before, command)?.deadline ?? Infinity;
  return command.now < deadline || (acceptsAtDeadline && command.now === deadline);
}

function inputsOf(command: CoinCommand): readonly string[] {
  return 'inputs' in command ? (command.inputs ?? []) : [];
}

function takenBy({ command, before, after }: CoinStep): number {
  if (!('from' in command)) return 0;
  const remaining = new Set((after.coins?.get(command.from) ?? []).map(({ id }) => id));
  const gone = (before.coins?.get(command.from) ?? []).filter(({ id, isLocked }) => !isLocked && !remaining.has(id));
  // In a payment to oneself, a ledger that merges on receipt also spends coins as the receiver.
  const isOwn = 'to' in command && command.to === command.from;
  return Math.max(inputsOf(command).length, isOwn ? 0 : gone.length);
}

/** The ledger may unlock the coin of an offer past its deadline without a command. */
function hasLapsed({ offers }: CoinView, now: number, party?: string): boolean {
  return offers.some(
    ({ end, deadline, from }) => end === null && deadline <= now && (party === undefined || from === party),
  );
}

function spendableOf(before: CoinView, party: string, now: number): bigint {
  return hasLapsed(before, now, party) ? (before.balances.get(party)?.total ?? 0n) : unlockedOf(before, party);
}

function areSpendable(command: CoinCommand, before: CoinView): boolean {
  const inputs = inputsOf(command);
  const { coins } = before;
  if (!('from' in command) || inputs.length === 0 || coins === null) return true;
  const lapsed = hasLapsed(before, command.now, command.from);
  const named = (coins.get(command.from) ?? []).filter(({ id }) => inputs.includes(id));
  const spendable = named.filter(({ isLocked }) => !isLocked || lapsed);
  const worth = spendable.reduce((sum, { amount }) => sum + amount, 0n);
  return spendable.length === inputs.length && (command.type !== 'pay' || worth >= command.amount);
}

function movesItsAmount({ command, before, after, fee }: CoinStep): boolean {
  const changes = changesOf(command, before);
  return [...after.balances].every(([party, { total }]) => {
    const change = (changes.get(party) ?? 0n) - (party === command.by ? fee : 0n);
    return total - (before.balances.get(party)?.total ?? 0n) === change;
  });
}

function changesOf(command: CoinCommand, before: CoinView): ReadonlyMap<string, bigint> {
  if (command.type === 'mint') return new Map([[command.to, command.amount]]);
  const payment = command.type === 'pay' ? command : command.type === 'accept' ? openOffer(command, before) : undefined;
  if (!payment || payment.from === payment.to) return new Map();
  return new Map([
    [payment.from, -payment.amount],
    [payment.to, payment.amount],
  ]);
}

function openOffer(command: CoinCommand, before: CoinView): KnownOffer | undefined {
  const offer = offerOf(before, command);
  return offer?.end === null ? offer : undefined;
}

/** A refusal of a possible command needs a reason other than funds, authority or time. */
export function isPossible(command: CoinCommand, before: CoinView): boolean {
  if (!authorsOf(command, before).includes(command.by)) return false;
  if (command.type === 'accept') return command.now < (openOffer(command, before)?.deadline ?? 0);
  if (command.type !== 'pay' || command.inputs) return false;
  return command.amount > 0n && command.amount <= unlockedOf(before, command.from);
}

function supplyOf({ balances }: CoinView): bigint {
  return [...balances.values()].reduce((sum, { total }) => sum + total, 0n);
}

function isUnchanged({ command: { now }, before, after }: CoinStep): boolean {
  if (hasLapsed(before, now)) return balancesOf(before) === balancesOf(after);
  return detailsOf(before) === detailsOf(after);
}

function balancesOf({ balances }: CoinView): string {
  return [...balances].map(([party, { total }]) => `${party} ${total}`).join('\n');
}

function detailsOf({ balances, coins }: CoinView): string {
  const lines = [...balances].map(([party, { total, locked }]) => `${party} ${total} ${locked}`);
  const ids = [...(coins ?? [])].flatMap(([, each]) => each.map(({ id, amount }) => `${id} ${amount}`));
  return [...lines, ...ids.sort()].join('\n');
}
