import {
  allOf,
  Amount,
  ANS_CONFIG,
  DSO_CONFIG,
  dustExpiringAt,
  dustRoundOf,
  expirableCoupons,
  Duration,
  formatCommand,
  genesisConfig,
  Instant,
  lockedHoldingsOf,
  openRoundsOf,
  PROFILES,
  type AmuletConfig,
  type Command,
  type CommandType,
  type Context,
  type GovernanceAction,
  type Holding,
  type LedgerState,
  type PartyId,
  type ProfileName,
  type Round,
} from '@coinlab/core';
import fc from 'fast-check';
import { Dice } from './dice.ts';
import { Draw, dso, everybody, founders, people, provider } from './draw.ts';

type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;

/** A command with whoever should submit it; `at` when it needs another time than the clock's. */
interface Attempt<Type extends CommandType> {
  readonly command: CommandOf<Type>;
  readonly actAs: readonly PartyId[];
  readonly at?: Instant;
}

/** How often a command is drawn, and how. */
interface Recipe<Type extends CommandType> {
  readonly weight: number;
  readonly draw: (draw: Draw) => Attempt<Type>;
}

/** How each command is drawn. A new command fails to compile until it has an entry; the rest follows from it. */
export const RECIPES: { readonly [Type in CommandType]: Recipe<Type> } = {
  OpenLedger: {
    weight: 0.1,
    draw: (d) => {
      const name = d.dice.pick<ProfileName>(['feeless', 'legacy-fees', 'feeless-24h']);
      const command = { type: 'OpenLedger', dso, isDevNet: !d.dice.chance(5), seed: d.dice.roll(1000) } as const;
      return { command: { ...command, profile: PROFILES[name], config: genesisConfig(name) }, actAs: [dso] };
    },
  },
  BootstrapRounds: {
    weight: 0.1,
    draw: (d) => ({
      command: {
        type: 'BootstrapRounds',
        amuletPrice: d.price(),
        initialRound: d.dice.roll(50) as Round,
        round0Duration: Duration.seconds(600 + d.dice.roll(2) * 86_400),
      },
      actAs: [dso],
    }),
  },
  AllocateParty: {
    weight: 0.3,
    draw: (d) => {
      const party = d.party();
      return { command: { type: 'AllocateParty', party, displayName: d.text() }, actAs: [party] };
    },
  },

  AdvanceOpenRounds: {
    weight: 4,
    draw: (d) => {
      const [oldest, middle, newest] = openRoundsOf(d.state);
      const earliest =
        oldest && middle && newest
          ? Instant.later(
              Instant.later(oldest.targetClosesAt, newest.opensAt),
              Instant.plus(middle.opensAt, middle.tickDuration),
            )
          : d.now;
      return { command: { type: 'AdvanceOpenRounds', amuletPrice: d.price() }, actAs: [dso], at: d.after(earliest) };
    },
  },
  AdvanceConfigStates: {
    weight: 0.3,
    draw: (d) => ({
      command: { type: 'AdvanceConfigStates' },
      actAs: [dso],
      at: d.after(d.contract('ExternalPartyConfigState')?.targetArchiveAfter),
    }),
  },

  Mint: {
    weight: 1,
    draw: (d) => {
      const receiver = d.party();
      return { command: { type: 'Mint', receiver, amount: d.fresh() }, actAs: [dso, receiver] };
    },
  },
  Tap: {
    weight: 2,
    draw: (d) => {
      const receiver = d.party();
      return { command: { type: 'Tap', receiver, amount: d.fresh() }, actAs: [receiver] };
    },
  },

  SelfTransfer: {
    weight: 3,
    draw: (d) => {
      const { receiver: _, ...terms } = registryTransfer(d, (sender) => sender);
      return { command: { type: 'SelfTransfer', ...terms }, actAs: [terms.sender] };
    },
  },
  MergeHoldings: {
    weight: 3,
    draw: (d) => {
      const owner = d.holder();
      return { command: { type: 'MergeHoldings', owner, inputs: d.inputs(owner) }, actAs: [owner] };
    },
  },
  DirectTransfer: {
    weight: 4,
    draw: (d) => {
      const preapproval = d.contract('TransferPreapproval', ({ expiresAt }) => expiresAt > d.now);
      const terms = registryTransfer(d, (sender) => preapproval?.receiver ?? d.other(sender));
      return {
        command: {
          type: 'DirectTransfer',
          ...terms,
          ...(preapproval && d.dice.chance(30) ? { preapproval: preapproval.id } : {}),
        },
        actAs: [terms.sender],
        at: d.dice.chance(5) ? d.before(preapproval?.expiresAt) : d.now,
      };
    },
  },

  CreateOffer: {
    weight: 5,
    draw: (d) => {
      const terms = registryTransfer(d, (sender) => d.other(sender));
      return { command: { type: 'CreateOffer', ...terms, executeBefore: d.ahead() }, actAs: [terms.sender] };
    },
  },
  AcceptOffer: {
    weight: 3,
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'AcceptOffer', instruction: d.ref(offered) },
        actAs: [offered?.transfer.receiver ?? d.party()],
        at: d.before(offered?.transfer.executeBefore),
      };
    },
  },
  RejectOffer: {
    weight: 1.5,
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'RejectOffer', instruction: d.ref(offered) },
        actAs: [offered?.transfer.receiver ?? d.party()],
        at: d.before(offered?.transfer.executeBefore),
      };
    },
  },
  WithdrawOffer: {
    weight: 1.5,
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'WithdrawOffer', instruction: d.ref(offered) },
        actAs: [offered?.transfer.sender ?? d.party()],
        at: d.before(offered?.transfer.executeBefore),
      };
    },
  },
  ExpireOffer: {
    weight: 1.5,
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'ExpireOffer', instruction: d.ref(offered) },
        actAs: [dso],
        at: d.after(offered?.transfer.executeBefore),
      };
    },
  },

  Unlock: {
    weight: 0.7,
    draw: (d) => {
      const coin = lockedCoin(d);
      return {
        command: { type: 'Unlock', holding: coin?.id ?? d.anyId() },
        actAs: coin ? [coin.owner, ...(coin.lock?.holders ?? [])] : [d.party()],
      };
    },
  },
  OwnerExpireLock: {
    weight: 0.7,
    draw: (d) => {
      const coin = lockedCoin(d);
      return {
        command: { type: 'OwnerExpireLock', holding: coin?.id ?? d.anyId() },
        actAs: [coin?.owner ?? d.party()],
        at: d.after(coin?.lock?.expiresAt),
      };
    },
  },

  ProposePreapproval: {
    weight: 1,
    draw: (d) => {
      const receiver = d.party();
      return { command: { type: 'ProposePreapproval', receiver, provider: d.other(receiver) }, actAs: [receiver] };
    },
  },
  WithdrawPreapprovalProposal: {
    weight: 0.5,
    draw: (d) => {
      const proposal = d.contract('TransferPreapprovalProposal');
      return {
        command: { type: 'WithdrawPreapprovalProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.receiver ?? d.party()],
      };
    },
  },
  AcceptPreapprovalProposal: {
    weight: 1,
    draw: (d) => {
      const proposal = d.contract('TransferPreapprovalProposal');
      const payer = proposal?.provider ?? d.party();
      return {
        command: {
          type: 'AcceptPreapprovalProposal',
          proposal: d.ref(proposal),
          expiresAt: d.ahead(),
          inputs: d.inputs(payer),
        },
        actAs: [payer],
      };
    },
  },
  CreatePreapproval: {
    weight: 1,
    draw: (d) => {
      const receiver = d.party();
      const payer = d.other(receiver);
      return {
        command: {
          type: 'CreatePreapproval',
          receiver,
          provider: payer,
          expiresAt: d.ahead(),
          inputs: d.inputs(payer),
        },
        actAs: [payer, receiver],
      };
    },
  },
  RenewPreapproval: {
    weight: 1,
    draw: (d) => {
      const old = d.contract('TransferPreapproval');
      const payer = old?.provider ?? d.party();
      const newExpiresAt = d.dice.chance(10) ? d.ahead() : Instant.plus(old?.expiresAt ?? d.now, d.span());
      return {
        command: { type: 'RenewPreapproval', preapproval: d.ref(old), newExpiresAt, inputs: d.inputs(payer) },
        actAs: [payer],
        at: d.before(old?.expiresAt),
      };
    },
  },
  CancelPreapproval: {
    weight: 0.5,
    draw: (d) => {
      const ended = d.contract('TransferPreapproval');
      return {
        command: { type: 'CancelPreapproval', preapproval: d.ref(ended) },
        actAs: [(d.dice.chance(50) ? ended?.receiver : ended?.provider) ?? d.party()],
        at: d.before(ended?.expiresAt),
      };
    },
  },
  ExpirePreapproval: {
    weight: 0.5,
    draw: (d) => {
      const ended = d.contract('TransferPreapproval');
      return {
        command: { type: 'ExpirePreapproval', preapproval: d.ref(ended) },
        actAs: [dso],
        at: d.after(ended?.expiresAt),
      };
    },
  },

  ExpireDust: {
    weight: 2,
    draw: (d) => {
      const judgedAt = d.state.offset === 0 ? null : dustRoundOf(d.state);
      const dust = judgedAt === null ? [] : [...dustExpiringAt(d.state, judgedAt)].slice(0, 1 + d.dice.roll(5));
      const nonsense = d.dice.chance(10) || dust.length === 0;
      return {
        command: {
          type: 'ExpireDust',
          holdings: [...dust.map(({ id }) => id), ...(nonsense ? d.inputs(d.holder()).slice(0, 3) : [])],
        },
        actAs: [dso],
        at: d.dice.chance(30) ? d.after(dust[0]?.lock?.expiresAt) : d.now,
      };
    },
  },

  OnboardUser: {
    weight: 0.7,
    draw: (d) => {
      const endUser = d.party();
      const validator = d.dice.chance(20) ? d.party() : provider;
      return {
        command: { type: 'OnboardUser', validator, endUserName: d.dice.pick(['ann', 'ben', 'cid', '']), endUser },
        actAs: [validator, endUser],
      };
    },
  },
  OffboardUser: {
    weight: 0.3,
    draw: (d) => {
      const install = d.contract('WalletAppInstall');
      return {
        command: { type: 'OffboardUser', install: d.ref(install) },
        actAs: [(d.dice.chance(50) ? install?.endUser : install?.validator) ?? d.party()],
      };
    },
  },

  CreateWalletOffer: {
    weight: 3,
    draw: (d) => {
      const sender = d.holder();
      return {
        command: {
          type: 'CreateWalletOffer',
          sender,
          receiver: d.other(sender),
          amount: d.amount(Amount.ofWhole(20)),
          unit: d.dice.chance(40) ? 'usd' : 'coin',
          expiresAt: d.ahead(),
          trackingId: d.trackingId(),
          description: d.text(),
        },
        actAs: [sender],
      };
    },
  },
  AcceptWalletOffer: {
    weight: 2.5,
    draw: (d) => {
      const offer = d.contract('TransferOffer', ({ expiresAt }) => d.now < expiresAt);
      return {
        command: { type: 'AcceptWalletOffer', offer: d.ref(offer) },
        actAs: [offer?.receiver ?? d.party()],
        at: d.before(offer?.expiresAt),
      };
    },
  },
  RejectWalletOffer: {
    weight: 0.5,
    draw: (d) => {
      const offer = d.contract('TransferOffer');
      return { command: { type: 'RejectWalletOffer', offer: d.ref(offer) }, actAs: [offer?.receiver ?? d.party()] };
    },
  },
  WithdrawWalletOffer: {
    weight: 0.5,
    draw: (d) => {
      const offer = d.contract('TransferOffer');
      return {
        command: { type: 'WithdrawWalletOffer', offer: d.ref(offer), reason: d.text() },
        actAs: [offer?.sender ?? d.party()],
      };
    },
  },
  CompleteWalletOffer: {
    weight: 2.5,
    draw: (d) => {
      const accepted = d.contract('AcceptedTransferOffer', ({ expiresAt }) => d.now < expiresAt);
      const sender = accepted?.sender ?? d.holder();
      return {
        command: {
          type: 'CompleteWalletOffer',
          accepted: d.ref(accepted),
          walletProvider: provider,
          inputs: d.inputs(sender),
        },
        actAs: [sender, provider],
        at: d.before(accepted?.expiresAt),
      };
    },
  },
  AbortWalletOffer: {
    weight: 0.5,
    draw: (d) => {
      const accepted = d.contract('AcceptedTransferOffer');
      return {
        command: { type: 'AbortWalletOffer', accepted: d.ref(accepted), reason: d.text() },
        actAs: [accepted?.sender ?? d.party()],
      };
    },
  },
  WithdrawAcceptedWalletOffer: {
    weight: 0.5,
    draw: (d) => {
      const accepted = d.contract('AcceptedTransferOffer');
      return {
        command: { type: 'WithdrawAcceptedWalletOffer', accepted: d.ref(accepted), reason: d.text() },
        actAs: [accepted?.receiver ?? d.party()],
      };
    },
  },
  ExpireWalletOffer: {
    weight: 0.7,
    draw: (d) => {
      const offer = d.contract(d.dice.pick(['TransferOffer', 'AcceptedTransferOffer']));
      return {
        command: { type: 'ExpireWalletOffer', offer: d.ref(offer) },
        actAs: [(d.dice.chance(50) ? offer?.receiver : offer?.sender) ?? d.party()],
        at: d.after(offer?.expiresAt),
      };
    },
  },

  BuyMemberTraffic: {
    weight: 1.5,
    draw: (d) => {
      const payer = d.holder();
      return {
        command: {
          type: 'BuyMemberTraffic',
          payer,
          ...d.member(),
          trafficBytes: d.trafficBytes(),
          inputs: d.inputs(payer),
        },
        actAs: [payer],
      };
    },
  },
  MergeMemberTraffic: {
    weight: 0.7,
    draw: (d) => {
      const some = [...allOf(d.state, 'MemberTraffic')].map(({ id }) => id);
      const contracts = some.slice(0, 2 + d.dice.roll(3));
      return {
        command: { type: 'MergeMemberTraffic', contracts: d.dice.chance(10) ? [...contracts, d.anyId()] : contracts },
        actAs: [dso],
      };
    },
  },
  CreateTopUpState: {
    weight: 0.4,
    draw: (d) => {
      const validator = d.dice.chance(50) ? d.party() : provider;
      return { command: { type: 'CreateTopUpState', validator, ...d.member() }, actAs: [validator] };
    },
  },
  TopUpTraffic: {
    weight: 1,
    draw: (d) => {
      const loop = d.contract('ValidatorTopUpState');
      const payer = loop?.validator ?? d.party();
      const minTopupInterval = Duration.seconds(d.dice.pick([600, 0, 60, -1]));
      const tap = d.dice.chance(30);
      return {
        command: {
          type: 'TopUpTraffic',
          topUpState: d.ref(loop),
          trafficBytes: d.trafficBytes(),
          minTopupInterval,
          inputs: d.inputs(payer),
          ...(tap ? { tap } : {}),
        },
        actAs: [payer],
        at: loop && d.dice.chance(40) ? d.after(Instant.plus(loop.lastPurchasedAt, minTopupInterval)) : d.now,
      };
    },
  },
  ConsumeTraffic: {
    weight: 0.7,
    draw: (d) => ({
      command: {
        type: 'ConsumeTraffic',
        ...d.member(),
        bytes: d.dice.pick([100_000, 1, 400_000, 250_001, 0, 2_000_000]),
        ...(d.dice.chance(50) ? { recipients: d.dice.roll(20) - 1 } : {}),
      },
      actAs: [dso],
    }),
  },
  CreateTrafficRequest: {
    weight: 1,
    draw: (d) => {
      const endUser = d.holder();
      return {
        command: {
          type: 'CreateTrafficRequest',
          endUser,
          ...d.member(),
          trafficBytes: d.trafficBytes(),
          trackingId: d.trackingId(),
          expiresAt: d.ahead(),
        },
        actAs: [endUser],
      };
    },
  },
  CompleteTrafficRequest: {
    weight: 1.5,
    draw: (d) => {
      const request = d.contract('BuyTrafficRequest', ({ expiresAt }) => d.now < expiresAt);
      const endUser = request?.endUser ?? d.party();
      return {
        command: {
          type: 'CompleteTrafficRequest',
          request: d.ref(request),
          walletProvider: provider,
          inputs: d.inputs(endUser),
        },
        actAs: [endUser, provider],
        at: d.before(request?.expiresAt),
      };
    },
  },
  CancelTrafficRequest: {
    weight: 0.4,
    draw: (d) => {
      const request = d.contract('BuyTrafficRequest');
      return {
        command: { type: 'CancelTrafficRequest', request: d.ref(request), reason: d.text() },
        actAs: [request?.endUser ?? d.party()],
        at: d.before(request?.expiresAt),
      };
    },
  },
  ExpireTrafficRequest: {
    weight: 0.4,
    draw: (d) => {
      const request = d.contract('BuyTrafficRequest');
      return {
        command: { type: 'ExpireTrafficRequest', request: d.ref(request) },
        actAs: [request?.endUser ?? d.party()],
        at: d.after(request?.expiresAt),
      };
    },
  },

  StartIssuing: {
    weight: 3,
    draw: (d) => ({
      command: {
        type: 'StartIssuing',
        round: d.contract('SummarizingMiningRound')?.round ?? (d.dice.roll(5) as Round),
      },
      actAs: [dso],
    }),
  },
  CloseRound: {
    weight: 1.5,
    draw: (d) => {
      const issuing = d.contract('IssuingMiningRound');
      return {
        command: { type: 'CloseRound', round: issuing?.round ?? (d.dice.roll(5) as Round) },
        actAs: [dso],
        at: d.after(issuing?.targetClosesAt),
      };
    },
  },
  ArchiveClosedRound: {
    weight: 0.5,
    draw: (d) => ({
      command: {
        type: 'ArchiveClosedRound',
        round: d.contract('ClosedMiningRound')?.round ?? (d.dice.roll(5) as Round),
      },
      actAs: [dso],
    }),
  },
  ClaimExpiredRewards: {
    weight: 2,
    draw: (d) => {
      const closed = d.contract('ClosedMiningRound', ({ round }) => expirableCoupons(d.state, round).length > 0);
      const round = closed?.round ?? (d.dice.roll(5) as Round);
      const coupons = expirableCoupons(d.state, round, 1 + d.dice.roll(20)).map(({ id }) => id);
      return {
        command: { type: 'ClaimExpiredRewards', round, coupons: d.dice.chance(10) ? [...coupons, d.anyId()] : coupons },
        actAs: [dso],
      };
    },
  },
  MergeUnclaimedRewards: {
    weight: 0.7,
    draw: (d) => ({
      command: { type: 'MergeUnclaimedRewards', rewards: d.some('UnclaimedReward') },
      actAs: [dso],
    }),
  },
  AllocateActivityRecord: {
    weight: 0.7,
    draw: (d) => ({
      command: {
        type: 'AllocateActivityRecord',
        beneficiary: d.party(),
        amount: d.amount(d.pool('UnclaimedReward')),
        reason: d.text(),
        expiresAt: d.ahead(),
      },
      actAs: [dso],
    }),
  },
  ExpireActivityRecord: {
    weight: 0.4,
    draw: (d) => {
      const record = d.contract('UnclaimedActivityRecord');
      return {
        command: { type: 'ExpireActivityRecord', record: d.ref(record) },
        actAs: [dso],
        at: d.after(record?.expiresAt),
      };
    },
  },

  GrantDevelopmentFundCoupon: {
    weight: 1,
    draw: (d) => {
      const fundManager = d.contract('AmuletRules')?.config.developmentFundManager ?? d.party();
      return {
        command: {
          type: 'GrantDevelopmentFundCoupon',
          fundManager,
          beneficiary: d.party(),
          amount: d.amount(d.pool('UnclaimedDevelopmentFundCoupon')),
          reason: d.text(),
          expiresAt: d.ahead(),
        },
        actAs: [fundManager],
      };
    },
  },
  WithdrawDevelopmentFundCoupon: {
    weight: 0.4,
    draw: (d) => {
      const coupon = d.contract('DevelopmentFundCoupon');
      return {
        command: { type: 'WithdrawDevelopmentFundCoupon', coupon: d.ref(coupon) },
        actAs: [coupon?.fundManager ?? d.party()],
      };
    },
  },
  RejectDevelopmentFundCoupon: {
    weight: 0.4,
    draw: (d) => {
      const coupon = d.contract('DevelopmentFundCoupon');
      return {
        command: { type: 'RejectDevelopmentFundCoupon', coupon: d.ref(coupon) },
        actAs: [coupon?.beneficiary ?? d.party()],
      };
    },
  },
  ExpireDevelopmentFundCoupon: {
    weight: 0.4,
    draw: (d) => {
      const coupon = d.contract('DevelopmentFundCoupon');
      return {
        command: { type: 'ExpireDevelopmentFundCoupon', coupon: d.ref(coupon) },
        actAs: [dso],
        at: d.after(coupon?.expiresAt),
      };
    },
  },
  MergeDevelopmentFund: {
    weight: 0.5,
    draw: (d) => ({
      command: { type: 'MergeDevelopmentFund', coupons: d.some('UnclaimedDevelopmentFundCoupon') },
      actAs: [dso],
    }),
  },

  GrantValidatorLicense: {
    weight: 0.7,
    draw: (d) => ({
      command: {
        type: 'GrantValidatorLicense',
        validator: d.party(),
        sponsor: d.sv(),
        ...(d.dice.chance(30) ? { version: d.text(), contactPoint: d.text() } : {}),
      },
      actAs: [dso],
    }),
  },
  RecordValidatorLivenessActivity: {
    weight: 2,
    draw: (d) => {
      const { validator, round } = liveness(d);
      return { command: { type: 'RecordValidatorLivenessActivity', validator, ...round }, actAs: [validator] };
    },
  },
  ReceiveFaucetCoupon: {
    weight: 0.7,
    draw: (d) => {
      const { validator, round } = liveness(d);
      return { command: { type: 'ReceiveFaucetCoupon', validator, ...round }, actAs: [validator] };
    },
  },
  UpdateLicenseMetadata: {
    weight: 0.5,
    draw: (d) => {
      const license = d.contract('ValidatorLicense');
      const validator = license?.validator ?? d.party();
      return {
        command: { type: 'UpdateLicenseMetadata', validator, version: d.text(), contactPoint: d.text() },
        actAs: [validator],
        at: d.dice.chance(50) ? d.after(hourAfter(license?.metadata?.lastUpdatedAt)) : d.now,
      };
    },
  },
  ReportActive: {
    weight: 0.5,
    draw: (d) => {
      const license = d.contract('ValidatorLicense');
      const validator = license?.validator ?? d.party();
      return {
        command: { type: 'ReportActive', validator },
        actAs: [validator],
        at: d.dice.chance(50) ? d.after(hourAfter(license?.lastActiveAt)) : d.now,
      };
    },
  },
  WithdrawValidatorLicense: {
    weight: 0.3,
    draw: (d) => ({
      command: {
        type: 'WithdrawValidatorLicense',
        validator: d.contract('ValidatorLicense')?.validator ?? d.party(),
        reason: d.text(),
      },
      actAs: [dso],
    }),
  },
  CancelValidatorLicense: {
    weight: 0.2,
    draw: (d) => {
      const validator = d.contract('ValidatorLicense')?.validator ?? d.party();
      return { command: { type: 'CancelValidatorLicense', validator, reason: d.text() }, actAs: [validator] };
    },
  },

  GrantFeaturedAppRight: {
    weight: 0.4,
    draw: (d) => ({
      command: { type: 'GrantFeaturedAppRight', provider: d.dice.chance(40) ? d.party() : provider },
      actAs: [dso],
    }),
  },
  SelfGrantFeaturedAppRight: {
    weight: 0.4,
    draw: (d) => {
      const app = d.party();
      return { command: { type: 'SelfGrantFeaturedAppRight', provider: app }, actAs: [app] };
    },
  },
  WithdrawFeaturedAppRight: {
    weight: 0.3,
    draw: (d) => ({
      command: { type: 'WithdrawFeaturedAppRight', right: d.ref(d.contract('FeaturedAppRight')), reason: d.text() },
      actAs: [dso],
    }),
  },
  CancelFeaturedAppRight: {
    weight: 0.2,
    draw: (d) => {
      const right = d.contract('FeaturedAppRight');
      return {
        command: { type: 'CancelFeaturedAppRight', right: d.ref(right) },
        actAs: [right?.provider ?? d.party()],
      };
    },
  },
  CreateActivityMarker: {
    weight: 1,
    draw: (d) => {
      const app = d.contract('FeaturedAppRight')?.provider ?? provider;
      return {
        command: {
          type: 'CreateActivityMarker',
          provider: app,
          beneficiaries: d.beneficiaries(app),
          ...(d.dice.chance(30)
            ? { weight: d.dice.pick(['1', '2.5', '10000', '0.5', '10001'].map(Amount.of)) as Amount }
            : {}),
        },
        actAs: [app],
      };
    },
  },
  ConvertActivityMarkers: {
    weight: 1,
    draw: (d) => ({
      command: {
        type: 'ConvertActivityMarkers',
        markers: d.some('FeaturedAppActivityMarker'),
        ...(d.dice.chance(20) ? { round: d.round() } : {}),
      },
      actAs: [dso],
    }),
  },

  CreateValidatorRight: {
    weight: 0.5,
    draw: (d) => {
      const user = d.party();
      const validator = d.dice.chance(30) ? d.party() : provider;
      return { command: { type: 'CreateValidatorRight', user, validator }, actAs: [user, validator] };
    },
  },
  ArchiveValidatorRight: {
    weight: 0.3,
    draw: (d) => {
      const right = d.contract('ValidatorRight');
      return {
        command: { type: 'ArchiveValidatorRight', right: d.ref(right) },
        actAs: [(d.dice.chance(50) ? right?.user : right?.validator) ?? d.party()],
      };
    },
  },

  ReceiveSvRewardCoupon: {
    weight: 1.5,
    draw: (d) => {
      const sv = d.sv();
      const weight = d.contract('DsoRules')?.svs.find(({ party }) => party === sv)?.rewardWeight ?? 1;
      const [all, parts] = [
        [{ beneficiary: sv, weight }],
        [
          { beneficiary: sv, weight: weight - 1 },
          { beneficiary: d.party(), weight: 1 },
        ],
      ];
      return {
        command: {
          type: 'ReceiveSvRewardCoupon',
          sv,
          beneficiaries: d.dice.pick([all, parts, all, [...all, ...all], []]),
          ...(d.dice.chance(20) ? { round: d.round() } : {}),
        },
        actAs: [sv],
      };
    },
  },
  VoteAmuletPrice: {
    weight: 0.7,
    draw: (d) => {
      const sv = d.sv();
      return {
        command: { type: 'VoteAmuletPrice', sv, amuletPrice: d.dice.chance(20) ? null : d.price() },
        actAs: [sv],
        at: Instant.plus(d.now, Duration.seconds(d.dice.roll(3) * 30)),
      };
    },
  },

  BootstrapDso: {
    weight: 0.2,
    draw: (d) => ({
      command: {
        type: 'BootstrapDso',
        svs: founders.slice(0, 4 - d.dice.roll(5)).map((party, i) => ({
          party,
          name: d.dice.chance(3) ? '' : `SV ${i + 1}`,
          rewardWeight: 100 * (i + 1),
          participantId: `PAR::sv${i + 1}::1220`,
        })),
        ...(d.dice.chance(20) ? { config: { ...DSO_CONFIG, voteCooldown: Duration.seconds(d.dice.roll(3)) } } : {}),
      },
      actAs: [dso],
    }),
  },
  ExecuteAction: {
    weight: 2,
    draw: (d) => ({ command: { type: 'ExecuteAction', action: governanceAction(d) }, actAs: [dso] }),
  },
  RequestVote: {
    weight: 1,
    draw: (d) => {
      const requester = d.sv();
      const voteBefore = d.ahead();
      return {
        command: {
          type: 'RequestVote',
          requester,
          action: governanceAction(d),
          reason: { url: '', body: d.text() },
          ...(d.dice.chance(50) ? { voteBefore } : {}),
          ...(d.dice.chance(25) ? { targetEffectiveAt: d.dice.pick([d.ahead(), voteBefore]) } : {}),
        },
        actAs: [requester],
      };
    },
  },
  CastVote: {
    weight: 3,
    draw: (d) => {
      const request = d.contract('VoteRequest');
      const sv = d.sv();
      return {
        command: {
          type: 'CastVote',
          request: d.ref(request),
          sv,
          accept: !d.dice.chance(35),
          reason: { url: '', body: d.text() },
        },
        actAs: [sv],
        at: d.dice.chance(10) ? d.before(request?.targetEffectiveAt ?? request?.voteBefore) : d.now,
      };
    },
  },
  CloseVote: {
    weight: 1.5,
    draw: (d) => {
      const request = d.contract('VoteRequest', ({ votes }) => votes.length > 1);
      return {
        command: { type: 'CloseVote', request: d.ref(request) },
        actAs: [d.dice.chance(30) ? dso : d.sv()],
        at: d.dice.chance(30) ? d.after(request?.targetEffectiveAt ?? request?.voteBefore) : d.now,
      };
    },
  },

  RequestAnsEntry: {
    weight: 1,
    draw: (d) => {
      const user = d.holder();
      return {
        command: {
          type: 'RequestAnsEntry',
          user,
          name: d.dice.pick(['one.cns', 'one.cns', 'two.cns', '']),
          url: 'https://example.org',
          description: d.text(),
        },
        actAs: [user],
      };
    },
  },
  WithdrawAnsRequest: {
    weight: 0.3,
    draw: (d) => {
      const request = d.contract('SubscriptionRequest');
      return {
        command: { type: 'WithdrawAnsRequest', request: d.ref(request) },
        actAs: [request?.terms.sender ?? d.party()],
      };
    },
  },
  PayAnsSubscription: {
    weight: 2,
    draw: (d) => {
      const idle = d.contract('SubscriptionIdleState');
      const subscription = d.contract('SubscriptionRequest') ?? idle;
      const due = subscription === idle ? idle : undefined;
      const user = subscription?.terms.sender ?? d.party();
      const opens = due ? Instant.plus(due.nextPaymentDueAt, Duration.ofMicros(-due.terms.paymentDuration)) : d.now;
      return {
        command: { type: 'PayAnsSubscription', subscription: d.ref(subscription), inputs: d.inputs(user) },
        actAs: [user],
        at: due && d.dice.chance(20) ? d.before(due.nextPaymentDueAt) : d.after(opens),
      };
    },
  },
  CollectAnsPayment: {
    weight: 1.5,
    draw: (d) => {
      const payment = d.contract('SubscriptionPayment');
      return {
        command: { type: 'CollectAnsPayment', payment: d.ref(payment) },
        actAs: [dso],
        at: payment?.dueAt && d.dice.chance(20) ? d.before(payment.dueAt) : d.now,
      };
    },
  },
  RejectAnsPayment: {
    weight: 0.7,
    draw: (d) => ({
      command: { type: 'RejectAnsPayment', payment: d.ref(d.contract('SubscriptionPayment')) },
      actAs: [dso],
    }),
  },
  ReclaimAnsPayment: {
    weight: 0.7,
    draw: (d) => {
      const payment = d.contract('SubscriptionPayment');
      return {
        command: { type: 'ReclaimAnsPayment', payment: d.ref(payment) },
        actAs: [payment?.terms.sender ?? d.party()],
        at: d.after(payment?.lockedUntil),
      };
    },
  },
  CancelAnsSubscription: {
    weight: 0.3,
    draw: (d) => {
      const idle = d.contract('SubscriptionIdleState');
      return {
        command: { type: 'CancelAnsSubscription', subscription: d.ref(idle) },
        actAs: [idle?.terms.sender ?? d.party()],
      };
    },
  },
  ExpireAnsSubscription: {
    weight: 0.3,
    draw: (d) => {
      const idle = d.contract('SubscriptionIdleState');
      return {
        command: { type: 'ExpireAnsSubscription', subscription: d.ref(idle) },
        actAs: [(d.dice.chance(50) ? idle?.terms.sender : undefined) ?? dso],
        at: d.after(idle?.nextPaymentDueAt),
      };
    },
  },
  ExpireAnsEntry: {
    weight: 0.3,
    draw: (d) => {
      const entry = d.contract('AnsEntry');
      return {
        command: { type: 'ExpireAnsEntry', entry: d.ref(entry) },
        actAs: [(d.dice.chance(50) ? entry?.user : undefined) ?? dso],
        at: d.after(entry?.expiresAt),
      };
    },
  },
};

/** A licensed validator and, now and then, the round it names. */
function liveness(d: Draw): { validator: PartyId; round: { round?: Round } } {
  const validator = d.contract('ValidatorLicense')?.validator ?? d.party();
  return { validator, round: d.dice.chance(30) ? { round: d.round() } : {} };
}

function hourAfter(last: Instant | null | undefined): Instant | undefined {
  return last === null || last === undefined ? undefined : Instant.plus(last, Duration.hours(1));
}

/** Something to decide on: every type of action, mostly one that can be done. */
function governanceAction(d: Draw): GovernanceAction {
  const { dice } = d;
  const sv = d.sv();
  const actions: (() => GovernanceAction)[] = [
    () => ({ type: 'GrantFeaturedAppRight', provider: d.other(provider) }),
    () => ({ type: 'RevokeFeaturedAppRight', right: d.ref(d.contract('FeaturedAppRight')) }),
    () => ({
      type: 'AllocateUnclaimedActivityRecord',
      beneficiary: d.party(),
      amount: d.amount(d.pool('UnclaimedReward')),
      reason: d.text(),
      expiresAt: d.ahead(),
    }),
    () => ({
      type: 'AddSv',
      party: dice.pick([...founders, ...people, provider]),
      name: dice.pick(['SV 5', 'SV 6', 'SV 1', '']),
      rewardWeight: dice.roll(1000) - 1,
      participantId: 'PAR::new::1220',
    }),
    () => ({ type: 'OffboardSv', party: sv }),
    () => ({ type: 'SetSvRewardWeight', party: sv, rewardWeight: dice.roll(1000) - 1 }),
    () => {
      const baseConfig = d.contract('AmuletRules')?.config ?? genesisConfig('feeless');
      return { type: 'SetAmuletConfig', baseConfig, newConfig: changedConfig(d, baseConfig) };
    },
    () => ({
      type: 'SetDsoConfig',
      baseConfig: DSO_CONFIG,
      newConfig: { ...DSO_CONFIG, mergeUnclaimedRewardsAbove: dice.roll(4), voteCooldown: Duration.seconds(1) },
    }),
    () => ({
      type: 'SetAnsConfig',
      baseConfig: ANS_CONFIG,
      newConfig: { ...ANS_CONFIG, entryFeeUsd: Amount.ofWhole(dice.roll(3)) },
    }),
  ];
  return (dice.pick(actions) as () => GovernanceAction)();
}

/** A configuration that differs in a field or two, mostly a valid one. */
function changedConfig(d: Draw, base: AmuletConfig): AmuletConfig {
  const { transferConfigUsd } = base;
  const withTransfer = (changed: Partial<AmuletConfig['transferConfigUsd']>): AmuletConfig => ({
    ...base,
    transferConfigUsd: { ...transferConfigUsd, ...changed },
  });
  return d.dice.pick([
    withTransfer({ maxNumInputs: 100 - d.dice.roll(98) }),
    withTransfer({ maxNumOutputs: 1 + d.dice.roll(3), maxNumLockHolders: d.dice.roll(2) }),
    withTransfer({ holdingFee: d.dice.pick(['0.0000190259', '0.00002', '1', '0'].map(Amount.of)) as Amount }),
    withTransfer({ createFee: d.dice.pick(['0', '0.03', '0.01'].map(Amount.of)) as Amount }),
    { ...base, tickDuration: Duration.seconds(600 - d.dice.roll(3) * 300) },
    { ...base, transferPreapprovalFeeUsd: d.dice.pick(['0.00274', '0', '1', '-1'].map(Amount.of)) as Amount },
    { ...base, featuredAppActivityMarkerAmountUsd: d.dice.chance(50) ? null : Amount.of('2') },
    { ...base, developmentFundManager: d.dice.chance(20) ? null : d.dice.pick(people) },
    { ...base, traffic: { ...base.traffic, minTopupBytes: 200_000 - d.dice.roll(200_001) } },
  ]);
}

/** The argument of a registry transfer: mostly fitting the coins it names, with every optional field now and then. */
function registryTransfer(
  d: Draw,
  receiverOf: (sender: PartyId) => PartyId,
): Omit<CommandOf<'DirectTransfer'>, 'type' | 'preapproval'> {
  const sender = d.holder();
  const inputs = d.inputs(sender);
  const wrong = d.dice.chance(2);
  return {
    sender,
    receiver: receiverOf(sender),
    amount: d.amount(d.worth(inputs)),
    inputs,
    ...(d.dice.chance(10) ? { executeBefore: d.ahead() } : {}),
    ...(d.dice.chance(10) ? { requestedAt: Instant.plus(d.now, Duration.ofMicros(BigInt(d.dice.roll(2)))) } : {}),
    ...(d.dice.chance(5) ? { instrument: { admin: wrong ? sender : dso, id: wrong ? 'Other' : 'Amulet' } } : {}),
    ...(d.dice.chance(5) ? { expectedAdmin: wrong ? sender : dso } : {}),
    ...(d.dice.chance(20) ? { meta: { reason: d.text() } } : {}),
  };
}

function lockedCoin(d: Draw): Holding | undefined {
  return d.dice.pick(everybody.flatMap((party) => [...lockedHoldingsOf(d.state, party)]));
}

/** A command that was drawn, before the state is known that it meets. */
export interface Drawn {
  readonly type: CommandType;
  readonly rolls: readonly number[];
}

/** A drawn command as it is submitted. */
export interface Submission {
  readonly command: Command;
  readonly context: Context;
}

const WEIGHTS: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<CommandType> }[] = Object.entries(
  RECIPES,
).map(([type, { weight }]) => ({ weight: Math.round(weight * 10), arbitrary: fc.constant(type as CommandType) }));

/** One command of any kind. */
export const drawn: fc.Arbitrary<Drawn> = fc.record({
  type: fc.oneof(...WEIGHTS),
  rolls: fc.array(fc.nat(0xf_ffff), { minLength: 0, maxLength: 24, size: 'max' }),
});

/** Sequences of up to `most` commands. */
export function sequences(most: number): fc.Arbitrary<readonly Drawn[]> {
  return fc.array(drawn, { minLength: 1, maxLength: most, size: 'max' });
}

/**
 * What a drawn command becomes in a state: who submits it and when follow from the command, and from a little mischief: a party
 * that may not, a time that lies behind.
 */
export function resolve({ type, rolls }: Drawn, state: LedgerState): Submission {
  const dice = new Dice(rolls);
  const start = state.offset === 0 ? Instant.of('2026-01-01T00:00:00Z') : state.time;
  const mischief = dice.roll(50);
  const waited = new Draw(state, start, dice).wait();
  const draw = new Draw(state, waited, dice);
  const { command, actAs, at = waited } = (RECIPES[type] as Recipe<CommandType>).draw(draw);
  if (mischief === 47) return { command, context: { now: Instant.plus(start, Duration.ofMicros(-1n)), actAs } };
  if (mischief >= 48) return { command, context: { now: at, actAs: [draw.party()] } };
  return { command, context: { now: at, actAs } };
}

/** A submission as a person wants to read it: hints instead of parties. */
export function describeSubmission({ command, context }: Submission): string {
  const { type, ...rest } = formatCommand(command) as { type: string };
  const names = (text: string): string => text.replaceAll(/::1220[0-9a-f]{64}/g, '');
  return names(`${Instant.format(context.now)} ${type} ${JSON.stringify(rest)} as ${context.actAs.join(' + ')}`);
}
