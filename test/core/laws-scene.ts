import {
  Amount,
  Duration,
  Engine,
  holdingsOf,
  Instant,
  prepare,
  type Round,
  type PartyId,
  type Command,
  type Contract,
  type ContractId,
  type ContractOf,
  type Ledger,
  type ProfileName,
  type Step,
  type TemplateName,
  type Update,
} from '@coinlab/core';
import { expirableCoupons, generateTopology } from '@coinlab/core/rules';
import { allOf } from '@coinlab/core/views';
import { busyNetwork, cast } from '@coinlab/testing';

const { dso, external, founders, newcomer, people, provider } = cast;

export const [alice, bob, carol] = people;
export const one = Amount.one;

/** A network on which this test does what it needs, step by step. */
export class Scene {
  ledger: Ledger;

  constructor(profile: ProfileName = 'feeless') {
    this.ledger = busyNetwork(profile);
  }

  get now(): Instant {
    return this.ledger.state.time;
  }

  /** A command that is accepted, as the laws see it. */
  step(command: Command, actAs: readonly PartyId[], at: Instant = this.now): Step {
    const before = this.ledger.state;
    const result = this.ledger.submit(command, { now: at, actAs });
    if (!result.ok) throw new Error(`${command.type} is refused with ${result.error.code}`);
    this.ledger = result.value.ledger;
    return { before, update: result.value.update, after: this.ledger.state };
  }

  coins(owner: PartyId): readonly ContractId[] {
    return [...holdingsOf(this.ledger.state, owner, 'largest')].map(({ id }) => id);
  }

  /** The one coin of an owner that a word says; it has it. */
  coin(owner: PartyId, which: 'largest' | 'smallest' = 'largest'): ContractId {
    for (const { id } of holdingsOf(this.ledger.state, owner, which)) return id;
    throw new Error(`${owner} has a coin`);
  }

  first<Name extends Exclude<TemplateName, 'Holding'>>(
    template: Name,
    fits: (contract: ContractOf<Name>) => boolean = () => true,
  ): ContractOf<Name> {
    for (const contract of allOf(this.ledger.state, template)) if (fits(contract)) return contract;
    throw new Error(`there is a fitting ${template}`);
  }

  tap(): Step {
    return this.step({ type: 'Tap', receiver: alice, amount: one }, [alice]);
  }

  self(): Step {
    const inputs = [this.coin(alice)];
    return this.step({ type: 'SelfTransfer', sender: alice, amount: one, inputs }, [alice]);
  }

  direct(): Step {
    const inputs = [this.coin(bob)];
    return this.step({ type: 'DirectTransfer', sender: bob, receiver: alice, amount: one, inputs }, [bob]);
  }

  offer(): Step {
    const executeBefore = Instant.plus(this.now, Duration.hours(1));
    const terms = { sender: bob, receiver: carol, amount: one, inputs: [this.coin(bob)], executeBefore };
    return this.step({ type: 'CreateOffer', ...terms }, [bob]);
  }

  /** The end of an offer that has just been made. */
  settled(type: 'AcceptOffer' | 'RejectOffer'): Step {
    const { executeBefore } = this.offer().update.detail as { readonly executeBefore: Instant };
    const offered = this.first('TransferInstruction', ({ transfer }) => transfer.executeBefore === executeBefore);
    return this.step({ type, instruction: offered.id }, [carol]);
  }

  merge(): Step {
    const delegation = this.first('MergeDelegation', ({ owner }) => owner === bob).id;
    const inputs = this.coins(bob).slice(0, 3);
    const merge = { sender: bob, receiver: bob, amount: this.worth(inputs), inputs };
    return this.step({ type: 'MergeDelegatedHoldings', delegation, merge }, [provider]);
  }

  mint(): Step {
    const delegation = this.first('MintingDelegation').id;
    return this.step({ type: 'MintForBeneficiary', delegation, inputs: [this.coin(carol)] }, [provider]);
  }

  /** An external party does something by a signed transaction. */
  signed(): Step {
    const { party, publicKey, sign } = external;
    const command: Command = { type: 'SelfTransfer', sender: party, amount: one, inputs: [this.coin(party)] };
    const prepared = prepare({ party, command, now: this.now }, this.ledger.state);
    if (!prepared.ok) throw new Error(`it can be prepared: ${prepared.error.code}`);
    const { transaction, hash } = prepared.value;
    return this.step({ type: 'SubmitPrepared', party, transaction, publicKey, signature: sign(hash) }, [alice]);
  }

  registered(): Step {
    const { hint, publicKey, sign } = newcomer;
    const participant = 'PAR::one::1220';
    const topology = generateTopology({ hint, publicKey, participant });
    if (!topology.ok) throw new Error('it has a topology');
    const transactions = topology.value.transactions.map(({ transaction, hash }) => ({
      transaction,
      signature: sign(hash),
    }));
    return this.step({ type: 'SubmitTopology', publicKey, participant, transactions }, [alice]);
  }

  buy(): Step {
    const command = {
      type: 'BuyMemberTraffic',
      payer: bob,
      memberId: 'PAR::two::1220',
      trafficBytes: 200_000,
    } as const;
    return this.step({ ...command, inputs: this.coins(bob).slice(0, 4) }, [bob]);
  }

  topUp(): Step {
    const topUpState = this.first('ValidatorTopUpState').id;
    const command = { type: 'TopUpTraffic', topUpState, trafficBytes: 200_000, inputs: [], tap: true } as const;
    return this.step({ ...command, minTopupInterval: Duration.seconds(60) }, [provider]);
  }

  collected(): Step {
    return this.step({ type: 'MergeHoldings', owner: provider, inputs: [this.issuingCoupon().id] }, [provider]);
  }

  issuingCoupon(): ContractOf<'AppRewardCoupon'> {
    const usable = [...allOf(this.ledger.state, 'IssuingMiningRound')].filter(({ opensAt }) => opensAt <= this.now);
    return this.first('AppRewardCoupon', ({ round }) => usable.some((issuing) => issuing.round === round));
  }

  claimed(): Step {
    const recorded = (of: Round): boolean => expirableCoupons(this.ledger.state, of).length > 0;
    const { round, targetClosesAt } = this.first('IssuingMiningRound', (issuing) => recorded(issuing.round));
    this.step({ type: 'CloseRound', round }, [dso], Instant.later(this.now, targetClosesAt));
    const coupons = expirableCoupons(this.ledger.state, round).map(({ id }) => id);
    return this.step({ type: 'ClaimExpiredRewards', round, coupons }, [dso]);
  }

  issued(): Step {
    return this.step({ type: 'StartIssuing', round: this.first('SummarizingMiningRound').round }, [dso]);
  }

  collectedBySv(): Step {
    const sv = founders[0];
    return this.step({ type: 'ReceiveSvRewardCoupon', sv, beneficiaries: [{ beneficiary: sv, weight: 100 }] }, [sv]);
  }

  lively(): Step {
    return this.step({ type: 'RecordValidatorLivenessActivity', validator: carol }, [carol]);
  }

  advanced(): Step {
    const { opensAt } = [...allOf(this.ledger.state, 'OpenMiningRound')].at(-1) ?? this.first('OpenMiningRound');
    const at = Instant.plus(opensAt, Duration.hours(1));
    return this.step({ type: 'AdvanceOpenRounds', amuletPrice: one }, [dso], at);
  }

  dust(): Step {
    for (let i = 0; i < 3; i++) this.advanced();
    return this.step({ type: 'ExpireDust', holdings: [this.coin(alice, 'smallest')] }, [dso]);
  }

  renewed(): Step {
    const { id, expiresAt } = this.first('TransferPreapproval');
    const newExpiresAt = Instant.plus(expiresAt, Duration.days(1));
    const command = { type: 'RenewPreapproval', preapproval: id, newExpiresAt } as const;
    return this.step({ ...command, inputs: [this.coin(provider)] }, [provider]);
  }

  worth(inputs: readonly ContractId[]): Amount {
    return Amount.sum(
      inputs.map((id) => {
        for (const coin of holdingsOf(this.ledger.state, bob, 'largest')) if (coin.id === id) return coin.amount;
        return Amount.zero;
      }),
    );
  }
}

export type Changes = { readonly [Field in 'archived' | 'created' | 'actAs' | 'recordTime' | 'detail']?: unknown };

/** The step with something else in its update; the state after it stays what it was. */
export function but(step: Step, changes: Changes): Step {
  const { detail, ...fields } = changes;
  const update = { ...step.update, ...fields, detail: { ...step.update.detail, ...(detail as object) } };
  return { ...step, update: update as unknown as Update };
}

/** The step with something else in its update, and the state that this leads to. */
export function leading(step: Step, changes: Changes): Step {
  const wrong = but(step, changes);
  const engine = new Engine({}, step.before);
  engine.apply(wrong.update);
  return { ...wrong, after: engine.state };
}

export function remade<Name extends TemplateName>(
  { update }: Step,
  template: Name,
  change: (contract: ContractOf<Name>) => Partial<ContractOf<Name>>,
): readonly Contract[] {
  return update.created.map((contract) =>
    contract.template === template ? ({ ...contract, ...change(contract as ContractOf<Name>) } as Contract) : contract,
  );
}

export function without({ update }: Step, template: TemplateName): readonly Contract[] {
  return update.created.filter((contract) => contract.template !== template);
}

export function walletOffer(scene: Scene, trackingId: string): Command {
  const expiresAt = Instant.plus(scene.now, Duration.hours(1));
  const terms = {
    sender: bob,
    receiver: carol,
    amount: one,
    unit: 'coin',
    expiresAt,
    trackingId,
    description: '',
  } as const;
  return { type: 'CreateWalletOffer', ...terms };
}
