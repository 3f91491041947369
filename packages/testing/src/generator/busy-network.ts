import { allOf, openRoundsOf } from '@coinlab/core/views';
import {
  Amount,
  Duration,
  genesisConfig,
  holdingsOf,
  inputsCovering,
  Instant,
  openLedger,
  prepare,
  type Command,
  ContractId,
  type Ledger,
  type PartyId,
  type ProfileName,
} from '@coinlab/core';
import { earliestAdvance, generateTopology } from '@coinlab/core/rules';
import type { IssuanceStep } from '@coinlab/core/contracts';
import { invariant } from '@coinlab/core/workflows';
import { describeSubmission } from './commands.js';
import { dso, everybody, external, founders, hoarder, people, provider } from './cast.js';

const [alice, bob, carol] = people;

const networks: Map<ProfileName, Ledger> = new Map();

/**
 * Returns a network with contracts of every kind: parties with coins of every size, a party at the limit of
 * inputs, super validators, rounds in every phase with coupons, delegations, an external party. Random
 * sequences start from it. The set-up is slow, so the network is created once per profile and shared; ledgers
 * are immutable.
 */
export function busyNetwork(profile: ProfileName): Ledger {
  const known = networks.get(profile);
  if (known) return known;
  const network = new Network(profile);
  network.found();
  network.fund();
  network.agree();
  network.host();
  network.live();
  network.grant();
  network.pend();
  networks.set(profile, network.ledger);
  return network.ledger;
}

function scarce({ from, issuance }: IssuanceStep): IssuanceStep {
  return { from, issuance: { ...issuance, amuletToIssuePerYear: Amount.ofWhole(1_000_000) } };
}

class Network {
  ledger: Ledger;
  readonly #profile: ProfileName;
  #now: Instant;

  constructor(profile: ProfileName) {
    this.#profile = profile;
    const { issuanceCurve, ...genesis } = genesisConfig(profile);
    const config = {
      ...genesis,
      developmentFundManager: carol,
      // Under this profile the issuance is lower than the earned rewards, so coupons receive reduced shares.
      issuanceCurve: profile === 'legacy-fees' ? issuanceCurve.map(scarce) : issuanceCurve,
    };
    this.ledger = openLedger({ profile, config, amuletPrice: Amount.of('0.15') });
    this.#now = this.ledger.state.time;
  }

  found(): void {
    const svs = founders.map((party, i) => ({
      party,
      name: `SV ${i + 1}`,
      rewardWeight: 100 * (i + 1),
      participantId: `PAR::sv${i + 1}::1220`,
    }));
    this.#submit({ type: 'BootstrapDso', svs }, dso);
    for (const party of everybody) this.#submit({ type: 'AllocateParty', party }, party);
  }

  fund(): void {
    const mint = (receiver: PartyId, amount: string): void =>
      this.#submit({ type: 'Mint', receiver, amount: Amount.of(amount) }, dso, receiver);
    for (const [i, party] of people.entries())
      for (const amount of ['100', '25.5', `${i + 1}`, '0.0000000001', '0.0002536786', '0.0005073572'])
        mint(party, amount);
    for (const amount of ['5000', '500', '50']) mint(provider, amount);
    for (let i = 0; i < 101; i++) mint(hoarder, i < 99 ? '1' : '0.5');
    // Creates a coin that becomes dust before its lock ends. The profile with fees refuses such coins.
    if (this.#profile === 'legacy-fees') return;
    const executeBefore = Instant.plus(this.#now, Duration.days(2));
    const inputs = [...holdingsOf(this.ledger.state, bob, 'smallest')].slice(0, 1).map(({ id }) => id);
    const terms = { sender: bob, receiver: carol, amount: Amount.unit, inputs, executeBefore };
    this.#submit({ type: 'CreateOffer', ...terms }, bob);
  }

  agree(): void {
    this.#submit({ type: 'GrantFeaturedAppRight', provider }, dso);
    for (const receiver of [alice, hoarder]) {
      const expiresAt = Instant.plus(this.#now, Duration.days(60));
      const inputs = this.#coins(provider, '10');
      this.#submit({ type: 'CreatePreapproval', receiver, provider, expiresAt, inputs }, provider, receiver);
    }
    this.#submit({ type: 'OnboardUser', validator: provider, endUserName: 'dan', endUser: alice }, provider, alice);
    this.#submit({ type: 'CreateTopUpState', validator: provider, memberId: 'PAR::one::1220' }, provider);
    this.#submit({ type: 'CreateBatchMergeUtility', operator: provider }, provider);
    for (const owner of [hoarder, bob]) {
      this.#submit({ type: 'ProposeMergeDelegation', owner, operator: provider }, owner);
      this.#submit({ type: 'AcceptMergeDelegation', proposal: this.#last() }, provider);
    }
    const expiresAt = Instant.plus(this.#now, Duration.days(60));
    const terms = { beneficiary: carol, delegate: provider, expiresAt, amuletMergeLimit: 3 };
    this.#submit({ type: 'ProposeMintingDelegation', ...terms }, carol);
    this.#submit({ type: 'AcceptMintingDelegation', proposal: this.#last() }, provider);
    for (const validator of [provider, carol])
      this.#submit({ type: 'GrantValidatorLicense', validator, sponsor: founders[0] }, dso);
    const name = { name: 'zero.cns', url: 'https://example.org', description: '' };
    this.#submit({ type: 'RequestAnsEntry', user: bob, ...name }, bob);
    const subscription = ContractId.of(this.ledger.state.nextContract - 2);
    this.#submit({ type: 'PayAnsSubscription', subscription, inputs: this.#coins(bob, '10') }, bob);
    this.#submit({ type: 'CollectAnsPayment', payment: this.#last() }, dso);
  }

  host(): void {
    const { hint, party, publicKey, sign } = external;
    const participant = 'PAR::one::1220';
    const topology = generateTopology({ hint, publicKey, participant });
    invariant(topology.ok, 'a key holder has a topology');
    const transactions = topology.value.transactions.map(({ transaction, hash }) => ({
      transaction,
      signature: sign(hash),
    }));
    this.#submit({ type: 'SubmitTopology', publicKey, participant, transactions }, provider);
    const preapprovalExpiresAt = Instant.plus(this.#now, Duration.days(60));
    this.#submit(
      {
        type: 'CreateExternalPartySetupProposal',
        validator: provider,
        user: party,
        preapprovalExpiresAt,
        inputs: this.#coins(provider, '10'),
      },
      provider,
    );
    this.#sign({ type: 'AcceptExternalPartySetupProposal', proposal: this.#last() });
    for (const amount of ['20', '5', '1']) this.#pay(provider, party, amount);
    this.#submit({ type: 'CreateTransferCommandCounter', sender: party }, dso);
  }

  live(): void {
    for (let round = 0; round < 5; round++) {
      this.#pay(bob, alice, '0.5');
      this.#pay(alice, hoarder, '0.25');
      for (const validator of [provider, carol])
        this.#submit({ type: 'RecordValidatorLivenessActivity', validator }, validator);
      for (const [i, sv] of founders.entries()) {
        const weight = 100 * (i + 1);
        this.#submit({ type: 'ReceiveSvRewardCoupon', sv, beneficiaries: [{ beneficiary: sv, weight }] }, sv);
      }
      this.#submit(
        {
          type: 'BuyMemberTraffic',
          payer: bob,
          memberId: 'PAR::two::1220',
          trafficBytes: 200_000,
          inputs: this.#coins(bob, '30'),
        },
        bob,
      );
      this.#submit({ type: 'Mint', receiver: bob, amount: Amount.of('50') }, dso, bob);
      this.#advance(round);
    }
  }

  grant(): void {
    if (this.#profile === 'legacy-fees') return;
    const expiresAt = Instant.plus(this.#now, Duration.hours(3));
    for (const beneficiary of [alice, bob]) {
      const terms = { fundManager: carol, beneficiary, amount: Amount.one, reason: 'rent', expiresAt };
      this.#submit({ type: 'GrantDevelopmentFundCoupon', ...terms }, carol);
    }
  }

  pend(): void {
    const expiresAt = Instant.plus(this.#now, Duration.hours(2));
    const amount = Amount.one;
    const offered = { sender: alice, receiver: bob, amount, executeBefore: expiresAt };
    this.#submit({ type: 'CreateOffer', ...offered, inputs: this.#coins(alice, '10') }, alice);
    for (const [receiver, trackingId] of [
      [carol, 'pending'],
      [bob, 'accepted'],
    ] as const) {
      const terms = {
        sender: alice,
        receiver,
        amount,
        unit: 'coin',
        expiresAt,
        trackingId,
        description: 'rent',
      } as const;
      this.#submit({ type: 'CreateWalletOffer', ...terms }, alice);
      if (receiver === bob) this.#submit({ type: 'AcceptWalletOffer', offer: this.#offer() }, bob);
    }
    const order = { sender: external.party, receiver: alice, delegate: provider, amount, expiresAt, nonce: 0 };
    this.#sign({ type: 'CreateTransferCommand', ...order });
  }

  #offer(): ContractId {
    const [last] = [...allOf(this.ledger.state, 'TransferOffer')].slice(-1);
    invariant(last !== undefined, 'an offer of a wallet is there');
    return last.id;
  }

  #advance(round: number): void {
    const [oldest] = openRoundsOf(this.ledger.state);
    const earliest = earliestAdvance(this.ledger.state);
    invariant(oldest !== undefined && earliest !== null, 'three rounds are open');
    this.#now = Instant.later(this.#now, earliest);
    this.#submit({ type: 'AdvanceOpenRounds', amuletPrice: Amount.of('0.15') }, dso);
    // Round 4 stays in the summarizing phase.
    if (round < 4) this.#submit({ type: 'StartIssuing', round: oldest.round }, dso);
  }

  #pay(sender: PartyId, receiver: PartyId, value: string): void {
    const amount = Amount.of(value);
    const inputs = this.#coins(sender, value);
    this.#submit({ type: 'DirectTransfer', sender, receiver, amount, inputs }, sender);
  }

  #coins(owner: PartyId, value: string): readonly ContractId[] {
    return inputsCovering(this.ledger.state, owner, Amount.add(Amount.of(value), Amount.ofWhole(5)));
  }

  #last(): ContractId {
    return ContractId.of(this.ledger.state.nextContract - 1);
  }

  #sign(command: Command): void {
    const { party, publicKey, sign } = external;
    const prepared = prepare({ party, command, now: this.#now }, this.ledger.state);
    invariant(prepared.ok, 'the command can be prepared', () => JSON.stringify(command.type));
    const { transaction, hash } = prepared.value;
    this.#submit({ type: 'SubmitPrepared', party, transaction, publicKey, signature: sign(hash) }, provider);
  }

  #submit(command: Command, ...actAs: readonly PartyId[]): void {
    const context = { now: this.#now, actAs };
    const result = this.ledger.submit(command, context);
    const told = (): string => describeSubmission({ command, context });
    invariant(result.ok, 'a busy network is never refused', told);
    // No laws are checked during the set-up: a check must find faults in its own commands.
    this.ledger = result.value.ledger;
  }
}
