import { allOf, contractCount, openRoundsOf, scanContracts } from '@coinlab/core/views';
import {
  Amount,
  Duration,
  find,
  Instant,
  type PartyId,
  Round,
  type Contract,
  ContractId,
  type ContractOf,
  type Holding,
  type LedgerState,
  type TemplateName,
} from '@coinlab/core';
import { stakeholdersOf } from '@coinlab/core/contracts';
import { dso, everybody, external, founders, stranger } from './cast.js';
import type { Dice } from './dice.js';
import { coinsOf, couponsOf, inputsOf, purseOf } from './inputs.js';
import { LONG, near } from './moments.js';

const SECOND = 1_000_000n;
// One more than the largest count of units up to which doubles are exact.
const ABOVE_DOUBLES = 2n ** 53n + 1n;
/** Invalid on purpose. Cast: the constructors of Amount refuse this value. */
const TOO_LARGE = (Amount.max + 1n) as Amount;

/** Random values for the fields of a command in its current state. */
export class Draw {
  readonly state: LedgerState;
  readonly now: Instant;
  readonly dice: Dice;
  readonly #me: PartyId | null;

  constructor(state: LedgerState, now: Instant, dice: Dice, me: PartyId | null = null) {
    this.state = state;
    this.now = now;
    this.dice = dice;
    this.#me = me;
  }

  as(me: PartyId): Draw {
    return new Draw(this.state, this.now, this.dice, me);
  }

  /** Returns a party, mostly a wallet user. */
  party(): PartyId {
    if (this.#me !== null) return this.#me;
    if (this.dice.chance(3)) return this.dice.pick([stranger, dso]);
    return this.dice.pick(everybody);
  }

  /** Returns a different party, except in 3 % of the draws. */
  other(party: PartyId): PartyId {
    if (this.dice.chance(3)) return party;
    const others = [...everybody, external.party].filter((one) => one !== party);
    return this.dice.pick(others) ?? dso;
  }

  /** Returns an active super validator, or a founder of the DSO. */
  sv(): PartyId {
    const active = this.contract('DsoRules')?.svs.map(({ party }) => party) ?? [];
    return (this.dice.chance(3) ? undefined : this.dice.pick(active)) ?? this.dice.pick(founders);
  }

  /** Returns a party with coins if there is one. */
  holder(): PartyId {
    if (this.#me !== null) return this.#me;
    const holders = everybody.filter((party) => this.coinsOf(party).length > 0);
    return this.dice.pick(holders) ?? this.party();
  }

  coinsOf(party: PartyId): readonly Holding[] {
    return coinsOf(this.state, party);
  }

  /** Returns inputs of an owner: mostly some of its coins, sometimes coupons, rarely invalid ids. */
  inputs(owner: PartyId): readonly ContractId[] {
    return inputsOf(this, owner);
  }

  /** Returns the largest coins of an owner up to the limit of inputs; sometimes other inputs. */
  purse(owner: PartyId): readonly ContractId[] {
    return purseOf(this, owner);
  }

  /** Returns coupons of an owner: some that it can mint now, or some of any round. */
  coupons(owner: PartyId): readonly ContractId[] {
    return couponsOf(this, owner);
  }

  /** Returns the sum of the coins among the inputs; coupons count as zero. */
  worth(inputs: readonly ContractId[]): Amount {
    return Amount.sum(inputs.map((id) => find(this.state, 'Holding', id)?.amount ?? Amount.zero));
  }

  /** Returns an amount to pay from a total: mostly a part, sometimes the total or an edge of the range. */
  amount(available: Amount): Amount {
    const { dice } = this;
    const drawn = dice.part(available);
    // Coins together can be worth more than the largest amount.
    const part = drawn > Amount.max ? Amount.max : Amount.max2(Amount.unit, Amount.ofUnits(drawn));
    switch (dice.roll(20)) {
      case 13:
      case 14:
        return available;
      case 15:
        return Amount.add(available, Amount.unit);
      case 16:
        return Amount.unit;
      case 17:
        return Amount.times(this.holdingFee(), 1 + dice.roll(5));
      case 18:
        return dice.pick([Amount.ofUnits(ABOVE_DOUBLES), Amount.max, Amount.sub(available, Amount.unit)]);
      case 19:
        return dice.pick([Amount.zero, Amount.ofUnits(-1n), TOO_LARGE]);
      default:
        return part;
    }
  }

  /** Returns an amount without reference to a total: mostly an ordinary one, sometimes an edge of the range. */
  fresh(): Amount {
    return this.amount(Amount.ofWhole(1 + this.dice.roll(500)));
  }

  /** Returns a price in USD per coin; rarely zero. */
  price(): Amount {
    return Amount.of(this.dice.pick(['0.15', '0.15', '0.15', '0.005', '1', '0.15', '0.1499999999', '2.5', '0']));
  }

  /** Returns the holding fee per round of coins that the newest open round creates. */
  holdingFee(): Amount {
    const newest = openRoundsOf(this.state).at(-1);
    if (!newest) return Amount.unit;
    return Amount.mul(Amount.div(Amount.one, newest.amuletPrice), newest.transferConfigUsd.holdingFee);
  }

  /** Returns a duration from a microsecond to 90 days, most often minutes. */
  span(): Duration {
    const { dice } = this;
    const seconds = dice.pick([86_400, 600, 3600, 7200, 30, 90 * 86_400, 1]);
    return Duration.ofMicros(dice.chance(10) ? 1n : BigInt(seconds) * SECOND + BigInt(dice.roll(3)));
  }

  /** Returns a deadline in the future; rarely at the current time or one microsecond earlier. */
  ahead(): Instant {
    if (this.dice.chance(4)) return Instant.plus(this.now, Duration.ofMicros(BigInt(-this.dice.roll(2))));
    return Instant.plus(this.now, this.span());
  }

  /**
   * Returns a time for an action that must happen before a deadline: mostly the current time, sometimes the
   * last moment or too late.
   */
  before(deadline: Instant | undefined): Instant {
    return deadline === undefined ? this.now : this.near(deadline, [this.now, this.now, -1, 0, 1]);
  }

  /** Returns whether a deadline is so near that commands may wait for it. */
  soon(deadline: Instant): boolean {
    return deadline - this.now <= LONG * 24n;
  }

  /**
   * Returns a time for an action that must happen at or after a deadline: mostly the deadline or later,
   * sometimes too early.
   */
  after(deadline: Instant | undefined): Instant {
    if (deadline === undefined) return this.now;
    // Long waits also expire all other contracts, so commands rarely wait long.
    if (deadline - this.now > LONG && !this.dice.chance(12)) return this.now;
    return this.near(deadline, [0, 0, 1, -1, this.now, 5_000_000, 40_000_000]);
  }

  /**
   * Returns one of several times, never before the current time.
   * @param choices instants, or numbers of microseconds relative to the deadline
   */
  near(deadline: Instant, choices: readonly (Instant | number)[]): Instant {
    return near(this, deadline, choices);
  }

  contract<Name extends Exclude<TemplateName, 'Holding'>>(
    template: Name,
    fits: (contract: ContractOf<Name>) => boolean = () => true,
  ): ContractOf<Name> | undefined {
    const all = [...allOf(this.state, template)];
    const fitting = all.filter((contract) => fits(contract) && this.#concerns(contract));
    return this.dice.pick(fitting.length > 0 ? fitting : all);
  }

  #concerns(contract: Contract): boolean {
    return this.#me === null || stakeholdersOf(contract, dso).includes(this.#me);
  }

  /** Returns the id of a contract; rarely another id. Without a contract, always another id. */
  ref(contract: Contract | undefined): ContractId {
    return contract && !this.dice.chance(3) ? contract.id : this.anyId();
  }

  /** Returns the id of an active contract, of an archived one (mostly a recent one), or an unused id. */
  anyId(): ContractId {
    const { nextContract } = this.state;
    if (this.dice.chance(40)) return ContractId.of(Math.max(1, nextContract - 1 - this.dice.roll(20)));
    if (this.dice.chance(10)) return ContractId.of(nextContract + this.dice.roll(2));
    const nth = this.dice.roll(contractCount(this.state));
    let place = 0;
    for (const { id } of scanContracts(this.state)) if (place++ === nth) return id;
    return ContractId.of(nextContract);
  }

  /** Returns ids of one to five contracts of a template. Rarely an id repeats or belongs to another template. */
  some(template: Exclude<TemplateName, 'Holding'>): readonly ContractId[] {
    const ids = [...allOf(this.state, template)].map(({ id }) => id);
    const some = ids.slice(0, this.dice.chance(10) ? 1 : 2 + this.dice.roll(4));
    if (!this.dice.chance(8)) return some;
    return [...some, this.dice.chance(50) ? this.anyId() : (some[0] ?? this.anyId())];
  }

  pool(template: 'UnclaimedReward' | 'UnclaimedDevelopmentFundCoupon'): Amount {
    return Amount.sum([...allOf(this.state, template)].map(({ amount }) => amount));
  }

  /** Returns the number of an open round; sometimes of a past or future round. */
  round(): Round {
    const oldest = openRoundsOf(this.state)[0]?.round ?? Round.of(0);
    return Round.of(Math.max(0, oldest + this.dice.roll(5) - 1));
  }

  /** Returns the beneficiaries of a reward; in most cases their weights sum to one. */
  beneficiaries(app: PartyId): readonly { beneficiary: PartyId; weight: Amount }[] {
    const share = (beneficiary: PartyId, weight: string): { beneficiary: PartyId; weight: Amount } => ({
      beneficiary,
      weight: Amount.of(weight),
    });
    const third = '0.3333333333';
    return this.dice.pick([
      [share(app, '1')],
      [share(app, '0.4'), share(this.party(), '0.6')],
      [share(app, third), share(this.party(), third), share(app, '0.3333333334')],
      [share(app, third), share(this.party(), third), share(app, third)],
      [share(app, '0.5'), share(this.party(), '0.2')],
      [share(app, '0')],
    ]);
  }

  /** Returns a tracking id from a small set, so that some ids repeat. */
  trackingId(): string {
    if (this.dice.chance(5)) return this.text();
    return `t${this.dice.roll(this.dice.chance(12) ? 3 : 40)}`;
  }

  /** Returns a member of the synchronizer, mostly without optional fields. */
  member(): { memberId: string; synchronizerId?: string; migrationId?: number } {
    const { dice } = this;
    return {
      memberId: dice.pick(['PAR::one::1220', 'PAR::two::1220', 'PAR::one::1220', '']),
      ...(dice.chance(10) ? { synchronizerId: dice.pick(['elsewhere', '']) } : {}),
      ...(dice.chance(10) ? { migrationId: dice.roll(3) - 1 } : {}),
    };
  }

  /** Returns a number of bytes to buy, mostly the minimum. */
  trafficBytes(): number {
    return this.dice.pick([200_000, 250_000, 1_000_000, 199_999, 200_001, Number.MAX_SAFE_INTEGER, 0]);
  }

  meta(): { meta?: Readonly<Record<string, string>> } {
    return this.dice.chance(20) ? { meta: { reason: this.text() } } : {};
  }

  text(): string {
    return this.dice.pick(['rent', '', 'x'.repeat(279), 'Zoë’s "gift"', 'x'.repeat(300)]);
  }
}
