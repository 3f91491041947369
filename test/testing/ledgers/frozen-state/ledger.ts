// A pure function from a state and an instruction to the next state. States are frozen and share their unchanged parts.

export interface Coin {
  readonly serial: number;
  readonly holder: string;
  readonly cents: bigint;
}

interface Pledge {
  readonly giver: string;
  readonly taker: string;
  readonly coin: Coin;
  readonly until: number;
}

export interface State {
  readonly next: number;
  readonly coins: readonly Coin[];
  readonly promises: Readonly<Record<number, Pledge>>;
}

export type Instruction =
  | { readonly do: 'issue'; readonly holder: string; readonly cents: bigint }
  | {
      readonly do: 'send';
      readonly giver: string;
      readonly taker: string;
      readonly cents: bigint;
      readonly serials?: readonly number[];
    }
  | { readonly do: 'join'; readonly giver: string; readonly serials: readonly number[] }
  | {
      readonly do: 'promise';
      readonly giver: string;
      readonly taker: string;
      readonly cents: bigint;
      readonly until: number;
    }
  | { readonly do: 'take' | 'decline' | 'recall'; readonly promise: number };

export interface Signed {
  readonly signer: string;
  readonly time: number;
}

export const EMPTY: State = Object.freeze({ next: 1, coins: [], promises: {} });

/** Returns the next state, or the text of a refusal. */
export function next(state: State, instruction: Instruction, signed: Signed): State | string {
  switch (instruction.do) {
    case 'issue':
      return withCoins(state, [[instruction.holder, instruction.cents]]);
    case 'send': {
      const { giver, taker, cents, serials } = instruction;
      if (giver !== signed.signer) return 'signature does not match';
      const spent = spend(state, giver, cents, serials);
      return typeof spent === 'string' ? spent : withCoins(spent, [[taker, cents]]);
    }
    case 'join': {
      const { giver, serials } = instruction;
      if (giver !== signed.signer) return 'signature does not match';
      const joined = total(state.coins.filter(({ serial }) => serials.includes(serial)));
      const spent = spend(state, giver, joined, serials);
      return typeof spent === 'string' ? spent : withCoins(spent, [[giver, joined]]);
    }
    case 'promise': {
      const { giver, taker, cents, until } = instruction;
      if (giver !== signed.signer) return 'signature does not match';
      const spent = spend(state, giver, cents);
      if (typeof spent === 'string') return spent;
      const coin = { serial: spent.next, holder: giver, cents };
      const promises = { ...spent.promises, [spent.next]: { giver, taker, coin, until } };
      return Object.freeze({ ...spent, next: spent.next + 1, promises });
    }
    default:
      return ended(state, instruction.do, instruction.promise, signed);
  }
}

function ended(state: State, how: 'take' | 'decline' | 'recall', id: number, { signer, time }: Signed): State | string {
  const { [id]: promise, ...promises } = state.promises;
  if (!promise) return 'nothing is promised';
  if (signer !== (how === 'recall' ? promise.giver : promise.taker)) return 'signature does not match';
  if (how === 'take' && time >= promise.until) return 'the promise has lapsed';
  const holder = how === 'take' ? promise.taker : promise.giver;
  return Object.freeze({ ...state, promises, coins: [...state.coins, { ...promise.coin, holder }] });
}

/** The state without the given coins and with their change. Chooses the newest coins if none are given. */
function spend(state: State, giver: string, cents: bigint, serials?: readonly number[]): State | string {
  if (cents <= 0n) return 'nothing to spend';
  const used = serials ?? newest(state, giver, cents);
  if (used.length > 100) return 'too many coins at once';
  const coins = state.coins.filter(({ serial, holder }) => used.includes(serial) && holder === giver);
  if (coins.length !== used.length) return 'a coin is missing';
  if (total(coins) < cents) return 'too few coins';
  const rest = Object.freeze({ ...state, coins: state.coins.filter((coin) => !coins.includes(coin)) });
  const change = total(coins) - cents;
  return change === 0n ? rest : withCoins(rest, [[giver, change]]);
}

function newest({ coins }: State, giver: string, cents: bigint): readonly number[] {
  const own = coins.filter(({ holder }) => holder === giver).toReversed();
  const enough = own.findIndex((_, i) => total(own.slice(0, i + 1)) >= cents);
  return own.slice(0, enough < 0 ? own.length : enough + 1).map(({ serial }) => serial);
}

function withCoins(state: State, made: readonly (readonly [holder: string, cents: bigint])[]): State {
  const coins = made.map(([holder, cents], i) => ({ serial: state.next + i, holder, cents }));
  return Object.freeze({ ...state, next: state.next + made.length, coins: [...state.coins, ...coins] });
}

export function total(coins: readonly Coin[]): bigint {
  return coins.reduce((sum, { cents }) => sum + cents, 0n);
}
