import {
  Amount,
  Duration,
  Engine,
  GENESIS_TIME,
  Instant,
  LAWS,
  PROFILE_NAMES,
  PartyId,
  codec,
  inputsCovering,
  openEngine,
  supplyOf,
  utxoCountOf,
  updateOf,
  type Command,
  type ProfileName,
  type Update,
  type Entry,
} from '@coinlab/core';
import {
  DSO_DEFAULTS,
  MERGE_DEFAULTS,
  PREAPPROVAL_DEFAULTS,
  runAutomation,
  type AutomationConfig,
  type Cadence,
} from '@coinlab/automation';
import { allOf, contractCount, firstByKey } from '@coinlab/core/views';

/**
 * A small network, generated from a seed: a hundred parties for one week with every automation on. All laws check every
 * update, and the log is replayed at the end. `npm run week -- [profile] [seed] [days]`.
 */
const POLL = Duration.minutes(2);
const POLLS_PER_DAY = 720;
const SVS = 3;
const VALIDATORS = 4;
const USERS = 92;

const dso = PartyId.of('DSO');
const svs = named('sv', SVS);
const validators = named('validator', VALIDATORS);
const users = named('user', USERS);
const provider = validators[0] as PartyId;
const price = Amount.of('0.15');

function named(prefix: string, count: number): readonly PartyId[] {
  return Array.from({ length: count }, (_, i) => PartyId.of(`${prefix}-${i}`));
}

function memberOf(validator: PartyId): string {
  return `PAR::${validator}`;
}

class Dice {
  #word: number;

  constructor(seed: number) {
    this.#word = seed >>> 0;
  }

  below(limit: number): number {
    this.#word = (Math.imul(this.#word, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#word / 2 ** 32) * limit);
  }

  one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  amount(least: number, most: number): Amount {
    return Amount.ofUnits(BigInt(least + this.below(most - least)) * 1_000_000n);
  }
}

function automation(): AutomationConfig {
  return {
    dso: DSO_DEFAULTS,
    superValidators: svs.map((sv, i) => ({
      sv,
      beneficiaries: i === 0 ? [{ beneficiary: users[0] as PartyId, weight: 1 }] : [],
    })),
    validators: validators.map((validator, i) => ({
      validator,
      memberId: memberOf(validator),
      wallets: null,
      recordsLiveness: true,
      // The users of the last validator use delegations for merging and minting.
      collectsRewards: i < VALIDATORS - 1,
      completesOffers: true,
      mintsByDelegation: true,
      sendsTransferCommands: true,
      renewsNames: true,
      acceptsMergeDelegations: false,
      topUp: {
        targetThroughput: 500,
        minTopupInterval: Duration.minutes(30),
        pollingInterval: POLL,
        tap: 'when-lacking',
      },
      preapprovals: PREAPPROVAL_DEFAULTS,
      sweeps: {
        [users[i * 2 + 1] as PartyId]: {
          receiver: validator,
          maxBalanceUSD: Amount.of('100'),
          minBalanceUSD: Amount.of('20'),
          useTransferPreapproval: i % 2 === 1,
        },
      },
      walletOffers: i % 2 === 0 ? 'public' : 'locked',
      autoAccept: Object.fromEntries(
        users.slice(0, 30).map((user) => [user, { fromParties: users, instructions: 'all' as const }]),
      ),
      clockSkewGrace: Duration.seconds(5),
    })),
    mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS, marksActivity: true }],
  };
}

interface Outcome {
  readonly profile: ProfileName;
  readonly seed: number;
  readonly days: number;
  readonly updates: number;
  readonly refused: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly contracts: number;
  readonly supply: string;
  readonly minted: string;
  readonly burned: string;
  readonly mostUtxos: number;
  readonly nanosFirstDay: number;
  readonly nanosLastDay: number;
  readonly stateHash: string;
  readonly replayedHash: string;
  readonly roundsIssued: number;
  readonly mostOverIssued: string;
}

function week(profile: ProfileName, seed: number, days: number): Outcome {
  const lines: string[] = [];
  const byKind: Record<string, number> = {};
  const issued: bigint[] = [];
  const onEntry = (entry: Entry): void => {
    const update = updateOf(entry);
    lines.push(codec.encode(update));
    byKind[update.kind] = (byKind[update.kind] ?? 0) + 1;
    if (update.kind === 'IssuingStarted') issued.push(overIssued(update));
  };
  const engine = openEngine({ profile, seed, amuletPrice: price, laws: LAWS, onEntry });
  const dice = new Dice(seed);
  let now = GENESIS_TIME;
  let refused = 0;
  const submit = (command: Command, ...actAs: readonly PartyId[]): Update | null => {
    const answer = engine.submit(command, { now, actAs });
    if (!answer.ok) refused += 1;
    return answer.ok ? answer.value.update : null;
  };

  found(submit);
  const config = automation();
  const dayNanos: number[] = [];
  for (let day = 0; day < days; day++) {
    const before = lines.length;
    const start = process.hrtime.bigint();
    for (let poll = 0; poll < POLLS_PER_DAY; poll++) {
      now = Instant.plus(now, POLL);
      const cadences: Cadence[] = [
        'frequent',
        ...(poll % 3 === 0 ? (['rewards'] as const) : []),
        ...(poll % 60 === 0 ? (['merges'] as const) : []),
      ];
      const run = runAutomation(engine, config, now, cadences);
      refused += run.refused.length;
      for (let i = dice.below(7); i > 0; i--) act(engine, dice, submit, now);
    }
    dayNanos.push(Number(process.hrtime.bigint() - start) / (lines.length - before));
    process.stderr.write(`\r${profile}: day ${day + 1} of ${days}, ${lines.length.toLocaleString('en')} updates`);
  }
  process.stderr.write('\n');

  const again = new Engine();
  for (const [i, line] of lines.entries()) {
    const update = codec.decode(line, i + 1);
    if (!update.ok) throw new Error(`line ${i + 1}: ${update.error.reason}`);
    again.apply(update.value);
  }
  const { supply, minted, burned } = supplyOf(engine.state);
  return {
    profile,
    seed,
    days,
    updates: lines.length,
    refused,
    byKind,
    contracts: contractCount(engine.state),
    supply: Amount.format(supply),
    minted: Amount.format(minted),
    burned: Amount.format(burned),
    mostUtxos: Math.max(...[...users, ...validators].map((party) => utxoCountOf(engine.state, party))),
    nanosFirstDay: Math.round(dayNanos[0] as number),
    nanosLastDay: Math.round(dayNanos.at(-1) as number),
    stateHash: engine.hash(),
    replayedHash: again.hash(),
    roundsIssued: issued.length,
    mostOverIssued: `${issued.reduce((most, over) => (over > most ? over : most), 0n)} units`,
  };
}

type Submit = (command: Command, ...actAs: readonly PartyId[]) => Update | null;

/** The DSO, validators with licenses and loops, users with wallets, preapprovals, names and delegations. */
function found(submit: Submit): void {
  submit(
    {
      type: 'BootstrapDso',
      svs: svs.map((party, i) => ({ party, name: `SV ${i}`, rewardWeight: 10, participantId: memberOf(party) })),
    },
    dso,
  );
  for (const sv of svs) submit({ type: 'VoteAmuletPrice', sv, amuletPrice: price }, sv);
  for (const validator of validators) {
    submit({ type: 'AllocateParty', party: validator }, validator);
    submit({ type: 'GrantValidatorLicense', validator, sponsor: svs[0] as PartyId, version: '0.6.6' }, dso);
    submit({ type: 'CreateTopUpState', validator, memberId: memberOf(validator) }, validator);
    submit({ type: 'Tap', receiver: validator, amount: Amount.ofWhole(1_000) }, validator);
    submit({ type: 'ProposePreapproval', receiver: validator, provider: validator }, validator);
  }
  submit({ type: 'GrantFeaturedAppRight', provider }, dso);
  submit({ type: 'CreateBatchMergeUtility', operator: provider }, provider);
  users.forEach((user, i) => {
    const validator = validators[i % VALIDATORS] as PartyId;
    submit({ type: 'AllocateParty', party: user }, user);
    submit({ type: 'OnboardUser', validator, endUserName: `user-${i}`, endUser: user }, validator, user);
    // Swept users start above their limit.
    submit({ type: 'Tap', receiver: user, amount: Amount.ofWhole(i < 8 ? 1_000 : 200) }, user);
    if (i % 4 !== 1) submit({ type: 'ProposePreapproval', receiver: user, provider: validator }, user);
    if (i % 4 === 3) submit({ type: 'ProposeMergeDelegation', owner: user, operator: provider }, user);
    if (i % 8 === 7) delegateMinting(user, validator, submit);
    if (i % 10 === 0) buyName(user, `user-${i}`, submit);
  });
}

/** Delegates the minting of rewards to a validator, which also keeps the coins at four or fewer. */
function delegateMinting(beneficiary: PartyId, delegate: PartyId, submit: Submit): void {
  const expiresAt = Instant.plus(GENESIS_TIME, Duration.days(5));
  const proposed = submit(
    { type: 'ProposeMintingDelegation', beneficiary, delegate, expiresAt, amuletMergeLimit: 4 },
    beneficiary,
  );
  const proposal = proposed?.created[0]?.id;
  if (proposal) submit({ type: 'AcceptMintingDelegation', proposal }, delegate);
}

/** A user requests a name and pays its first term; the DSO collects the payment. */
function buyName(user: PartyId, name: string, submit: Submit): void {
  const asked = submit(
    { type: 'RequestAnsEntry', user, name: `${name}.unverified.cns`, url: '', description: '' },
    user,
  );
  const subscription = asked?.created.find(({ template }) => template === 'SubscriptionRequest')?.id;
  const coin = submit({ type: 'Tap', receiver: user, amount: Amount.ofWhole(50) }, user)?.created[0]?.id;
  if (subscription && coin) submit({ type: 'PayAnsSubscription', subscription, inputs: [coin] }, user);
}

function act(engine: Engine, dice: Dice, submit: Submit, now: Instant): void {
  const sender = dice.one(users);
  // Half of the payments go to users without merging by their validator.
  const receiver = dice.below(2) === 0 ? dice.one(users) : (users[dice.below(USERS / 4) * 4 + 3] as PartyId);
  const amount = dice.amount(500, 300_000);
  const inputs = (): ReturnType<typeof inputsCovering> => inputsCovering(engine.state, sender, amount, 'smallest');
  const soon = Instant.plus(now, Duration.minutes(10 + dice.below(600)));
  if (sender === receiver) return;
  switch (dice.below(13)) {
    case 0:
    case 1:
    case 2:
      submit({ type: 'DirectTransfer', sender, receiver, amount, inputs: inputs() }, sender);
      break;
    case 3:
    case 4:
      submit({ type: 'CreateOffer', sender, receiver, amount, inputs: inputs(), executeBefore: soon }, sender);
      break;
    case 5:
      submit(
        {
          type: 'CreateWalletOffer',
          sender,
          receiver,
          amount,
          unit: 'coin',
          expiresAt: soon,
          description: 'for you',
          trackingId: `offer-${now}-${engine.state.offset}`,
        },
        sender,
      );
      break;
    case 6:
      for (const { id, transfer } of allOf(engine.state, 'TransferInstruction')) {
        submit({ type: dice.one(['AcceptOffer', 'RejectOffer'] as const), instruction: id }, transfer.receiver);
        break;
      }
      break;
    case 7:
      submit({ type: 'Tap', receiver: sender, amount }, sender);
      break;
    case 8:
      submit(
        { type: 'ConsumeTraffic', memberId: memberOf(dice.one(validators)), bytes: 10_000 + dice.below(90_000) },
        dso,
      );
      break;
    case 9:
      submit(
        {
          type: 'CreateTrafficRequest',
          endUser: sender,
          memberId: memberOf(dice.one(validators)),
          trafficBytes: 200_000,
          trackingId: `traffic-${now}-${engine.state.offset}`,
          expiresAt: soon,
        },
        sender,
      );
      break;
    case 10:
      submit({ type: 'VoteAmuletPrice', sv: dice.one(svs), amuletPrice: dice.amount(1_400, 1_600) }, ...svs);
      break;
    case 11: {
      const counter = firstByKey(engine.state, 'TransferCommandCounter', `sender:${sender}`);
      submit(
        {
          type: 'CreateTransferCommand',
          sender,
          receiver,
          delegate: validators[users.indexOf(sender) % VALIDATORS] as PartyId,
          amount,
          expiresAt: soon,
          nonce: counter?.nextNonce ?? 0,
        },
        sender,
      );
      break;
    }
    default:
      for (const { id } of allOf(engine.state, 'MergeDelegationProposal')) {
        submit({ type: 'AcceptMergeDelegation', proposal: id }, provider);
        break;
      }
  }
}

/**
 * Returns the units that a round can pay above its issuance, minus the rounding tolerance (§10, 35). Zero or
 * less is correct.
 */
function overIssued(update: Extract<Update, { kind: 'IssuingStarted' }>): bigint {
  const { toIssue, totals } = update.detail;
  const issuing = update.created.find((contract) => contract.template === 'IssuingMiningRound');
  if (issuing?.template !== 'IssuingMiningRound') return 0n;
  const { validatorRewards, featuredAppRewards, unfeaturedAppRewards, svWeight, livenessRecords } = totals;
  const payable =
    Amount.mul(validatorRewards, issuing.perValidatorRewardCoupon) +
    Amount.mul(featuredAppRewards, issuing.perFeaturedAppRewardCoupon) +
    Amount.mul(unfeaturedAppRewards, issuing.perUnfeaturedAppRewardCoupon) +
    Amount.times(issuing.perSvRewardCoupon, svWeight) +
    Amount.times(issuing.perValidatorFaucetCoupon, livenessRecords);
  const units = validatorRewards + featuredAppRewards + unfeaturedAppRewards;
  const allowed = Amount.ceil(units as Amount) + BigInt(svWeight + livenessRecords + 10);
  return payable - toIssue - allowed;
}

const [profile = 'feeless', seed = '1', days = '7'] = process.argv.slice(2);
if (!(PROFILE_NAMES as readonly string[]).includes(profile) || !/^\d+$/.test(seed) || !/^[1-9]\d*$/.test(days)) {
  process.stderr.write(`npm run week -- [${PROFILE_NAMES.join('|')}] [seed] [days]\n`);
  process.exitCode = 2;
} else {
  const outcome = week(profile as ProfileName, Number(seed), Number(days));
  process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  if (outcome.stateHash !== outcome.replayedHash) process.exitCode = 1;
}
