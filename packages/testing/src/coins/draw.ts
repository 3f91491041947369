import { Dice } from '../generator/dice.js';
import {
  COIN_PARTIES,
  ISSUER,
  unlockedOf,
  type CoinCommand,
  type CoinRules,
  type CoinView,
  type KnownOffer,
} from './coin-ledger.js';

/** A type listed twice is drawn twice as often. */
export const COIN_COMMANDS: readonly CoinCommand['type'][] = [
  'mint',
  'pay',
  'pay',
  'pay',
  'offer',
  'offer',
  'accept',
  'accept',
  'reject',
  'withdraw',
  'withdraw',
  'merge',
];

/** An optional feature of a ledger. Its commands and fields are drawn only if the check lists it. */
export type CoinFeature = 'inputs' | 'merge';

/** The numbers are later resolved to parties and coins of a ledger. Shrinking moves them towards 0. */
export interface DrawnCoinCommand {
  readonly type: CoinCommand['type'];
  readonly rolls: readonly number[];
}

export interface CoinDraws {
  readonly features: readonly CoinFeature[];
  readonly waits: boolean;
}

export interface CoinMoment {
  readonly view: CoinView;
  readonly now: number;
  readonly accepted: readonly CoinCommand[];
  readonly knownCoins: readonly string[];
  readonly rules: CoinRules;
}

const USUAL_MAX_INPUTS = 100;
const NEVER_CREATED = 'never-created';

/**
 * About a third of the commands are wrong on purpose: a repeated command, another submitting party, an archived,
 * foreign or unknown id, an amount above the funds, a time at or after a deadline.
 * @returns null if the command needs a feature that the check does not list
 */
export function resolveCoinCommand(
  { type, rolls }: DrawnCoinCommand,
  draws: CoinDraws,
  moment: CoinMoment,
): CoinCommand | null {
  const dice = new Dice(rolls);
  const { view, accepted } = moment;
  const now = moment.now + (dice.chance(30) && draws.waits ? waited(dice, moment) : 0);
  const again = accepted.at(-1 - dice.roll(Math.min(4, accepted.length)));
  if (dice.chance(12) && again) return { ...again, now };
  const command = commandOf(type, dice, { ...moment, ...draws, now });
  if (command === null || !dice.chance(8)) return command;
  const others = COIN_PARTIES.filter((party) => party !== command.by);
  return view.balances.size > 0 ? { ...command, by: dice.pick(others) ?? command.by } : command;
}

function waited(dice: Dice, { view, now }: CoinMoment): number {
  const offer = dice.pick(view.offers.filter(({ end, deadline }) => end === null && deadline > now));
  if (!offer || dice.chance(20)) return 1 + dice.roll(5);
  return Math.max(0, offer.deadline - now + aboutDeadline(dice));
}

function aboutDeadline(dice: Dice): number {
  return dice.pick([0, -1, 1]);
}

function commandOf(type: CoinCommand['type'], dice: Dice, moment: CoinMoment & CoinDraws): CoinCommand | null {
  const { view, now, features, waits } = moment;
  switch (type) {
    case 'mint': {
      const to = dice.pick(COIN_PARTIES);
      return { type, to, amount: BigInt(1 + dice.roll(30)), by: ISSUER, now };
    }
    case 'pay': {
      const terms = payment(dice, view);
      const spends = features.includes('inputs') && dice.chance(60);
      return { type, ...terms, ...(spends ? { inputs: inputs(dice, terms.from, moment) } : {}), by: terms.from, now };
    }
    case 'merge': {
      if (!features.includes('merge')) return null;
      const from = holder(dice, view);
      return { type, from, inputs: inputs(dice, from, moment), by: from, now };
    }
    case 'offer': {
      const terms = payment(dice, view);
      return { type, ...terms, deadline: now + 1 + dice.roll(20), by: terms.from, now };
    }
    case 'accept':
    case 'reject':
    case 'withdraw': {
      const offer = anyOffer(dice, view);
      const party = (type === 'withdraw' ? offer?.from : offer?.to) ?? dice.pick(COIN_PARTIES);
      const by = dice.chance(20) ? dice.pick(COIN_PARTIES) : party;
      const due = offer && dice.chance(25) && waits ? offer.deadline + aboutDeadline(dice) : now;
      return { type, offer: offer?.id ?? NEVER_CREATED, by, now: Math.max(now, due) };
    }
  }
}

function anyOffer(dice: Dice, { offers }: CoinView): KnownOffer | undefined {
  const open = offers.filter(({ end }) => end === null);
  const ended = offers.filter(({ end }) => end !== null);
  if (dice.chance(4)) return undefined;
  return dice.chance(20) ? (dice.pick(ended) ?? dice.pick(open)) : (dice.pick(open) ?? dice.pick(ended));
}

function holder(dice: Dice, view: CoinView): string {
  const holders = COIN_PARTIES.filter((party) => unlockedOf(view, party) > 0n);
  return dice.pick(holders) ?? dice.pick(COIN_PARTIES);
}

function payment(dice: Dice, view: CoinView): { readonly from: string; readonly to: string; readonly amount: bigint } {
  const from = holder(dice, view);
  const other = dice.pick(COIN_PARTIES.filter((party) => party !== from)) ?? from;
  const paid = amount(dice, unlockedOf(view, from));
  return { from, to: dice.chance(6) ? from : other, amount: paid };
}

function amount(dice: Dice, funds: bigint): bigint {
  switch (dice.roll(12)) {
    case 8:
    case 9:
      return funds;
    case 10:
      return funds + 1n;
    case 11:
      return dice.pick([0n, -1n]) ?? 0n;
    default:
      return funds > 0n ? 1n + (BigInt(dice.roll(0xf_ffff)) % funds) : 1n;
  }
}

function inputs(dice: Dice, party: string, { view, knownCoins, rules }: CoinMoment): readonly string[] {
  const idsOf = (owner: string): readonly string[] => (view.coins?.get(owner) ?? []).map(({ id }) => id);
  const own = idsOf(party);
  const others = COIN_PARTIES.filter((other) => other !== party).flatMap(idsOf);
  const archived = knownCoins.filter((id) => !own.includes(id) && !others.includes(id));
  const some = own.slice(0, 1 + dice.roll(4));
  switch (dice.roll(16)) {
    case 9:
    case 10:
    case 15:
      return own.slice(0, (rules.maxInputs ?? USUAL_MAX_INPUTS) + 1);
    case 11:
      return [...some, ...some.slice(0, 1)];
    case 12:
    case 13:
      return [...some, dice.pick(archived) ?? NEVER_CREATED];
    case 14:
      return [...some, dice.pick(others) ?? NEVER_CREATED];
    default:
      return some;
  }
}
