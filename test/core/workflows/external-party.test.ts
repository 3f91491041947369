import { createHash } from 'node:crypto';
import { allOf, externalBalanceOf, firstByKey } from '@coinlab/core/views';
import {
  Amount,
  Duration,
  find,
  Instant,
  isKnownParty,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
  type RejectionCode,
} from '@coinlab/core';
import { generateTopology, preapprovalOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { external, keyOf, participant, topologyOf } from '../external-keys.ts';
import {
  amount,
  bob as user,
  dso,
  provider as validator,
  second,
  tickOf,
  worldOf,
  type World,
} from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const price = amount('0.15');
const nowhere = 999_999 as ContractId;
const ninetyDays = Instant.plus(second(0), Duration.days(90));

function proposed(options: LedgerOptions = {}) {
  const world = worldOf({ amuletPrice: price, ...options });
  const inputs = [world.fund(validator, '10')];
  const create: Command = {
    type: 'CreateExternalPartySetupProposal',
    validator,
    user,
    preapprovalExpiresAt: ninetyDays,
    inputs,
  };
  const update = world.accepted('ExternalPartySetupProposed', create, validator);
  return { world, update, proposal: update.detail.proposal };
}

describe('submitting the topology of an external party', () => {
  it('registers the party and its key when any party submits it', () => {
    const world = worldOf();
    const topology = topologyOf('dave');
    const { created, detail, actAs } = world.accepted('ExternalPartyRegistered', topology, validator);
    const { party } = detail;
    expect(party.startsWith('dave::1220')).toBe(true);
    expect(actAs).toEqual([party]);
    expect(created.map(({ template }) => template)).toEqual(['KnownParty', 'ExternalPartyKey']);
    expect(isKnownParty(world.state, party)).toBe(true);
    expect(firstByKey(world.state, 'ExternalPartyKey', party)).toMatchObject({
      publicKey: topology.publicKey,
      participant,
    });
  });

  it.each(['party', 'participant'])('is refused when the hosting transaction lacks its %s', (field) => {
    const key = keyOf('dave');
    const topology = topologyOf('dave', key);
    const transactions = topology.transactions.map((one) => {
      const content = JSON.parse(Buffer.from(one.transaction, 'base64').toString('utf8')) as Record<string, unknown>;
      if (content['mapping'] !== 'PartyToParticipant') return one;
      delete content[field];
      const transaction = Buffer.from(JSON.stringify(content));
      const hash = createHash('sha256')
        .update(Buffer.from([0, 0, 0, 11]))
        .update(transaction)
        .digest('hex');
      return { transaction: transaction.toString('base64'), signature: key.sign(`1220${hash}`) };
    });
    expect(worldOf().refused('INVALID_ARGUMENT', { ...topology, transactions }).field).toBe('transactions');
  });

  it('is refused when the key is invalid', () => {
    expect(worldOf().refused('INVALID_ARGUMENT', { ...topologyOf('dave'), publicKey: 'ab' }).field).toBe('publicKey');
  });

  it('is allowed to any party, also to one that acts by signature', () => {
    const world = worldOf();
    const { party } = external(world, 'erin');
    world.refused('NOT_AUTHORISED', { type: 'AllocateParty', party }, party);
    world.accepted('ExternalPartyRegistered', topologyOf('dave'), party);
  });

  it('accepts its transactions in any order', () => {
    const topology = topologyOf('dave');
    const transactions = [...topology.transactions].reverse();
    worldOf().accepted('ExternalPartyRegistered', { ...topology, transactions });
  });

  describe('the checks of the topology', () => {
    const world = worldOf();
    const good = topologyOf('erin');
    const mallory = keyOf('mallory');
    const [namespace, hosting, key] = good.transactions as [Signed, Signed, Signed];
    type Signed = Required<(typeof good.transactions)[number]>;
    external(world, 'erin');
    precedence<typeof good>(
      good,
      [
        ['INVALID_ARGUMENT', { publicKey: 'ab' }, 'a key that is too short'],
        ['INVALID_ARGUMENT', { publicKey: mallory.publicKey }, "another's key"],
        ['INVALID_ARGUMENT', { publicKey: good.publicKey, transactions: [namespace, key] }, 'no host'],
        ['INVALID_ARGUMENT', { transactions: [namespace, hosting] }, 'one too few'],
        ['INVALID_ARGUMENT', { transactions: [namespace, hosting, key, key] }, 'one too many'],
        ['INVALID_ARGUMENT', { transactions: [{ ...namespace, transaction: '?' }, hosting, key] }, 'no base64'],
        ['GROUP_MISMATCH', { transactions: good.transactions, participant: 'PAR::other::1220cd' }],
        [
          'INVALID_SIGNATURE',
          { participant, transactions: [namespace, { ...hosting, signature: key.signature }, key] },
          'the signature of another transaction',
        ],
        ['INVALID_SIGNATURE', { transactions: [namespace, { ...hosting, signature: '' }, key] }, 'none'],
        ['ALREADY_EXISTS', good],
      ],
      (code: RejectionCode, plan) => void world.refused(code, plan, validator),
    );
  });

  describe('with one signature of the combined hash', () => {
    const key = keyOf('dave');
    const hosts = { others: [{ participant: 'PAR::other::1220cd', permission: 'confirmation' }] } as const;

    function combined(further: Partial<Parameters<typeof generateTopology>[0]> = {}, signer = key) {
      const topology = generateTopology({ hint: 'dave', publicKey: key.publicKey, participant, ...further });
      if (!topology.ok) throw new Error('dave has a topology');
      const { transactions, multiHash } = topology.value;
      return {
        type: 'SubmitTopology',
        publicKey: key.publicKey,
        participant,
        transactions: transactions.map(({ transaction }) => ({ transaction })),
        signature: signer.sign(multiHash),
      } as const;
    }

    it('registers the party', () => {
      const { detail } = worldOf().accepted('ExternalPartyRegistered', combined(), validator);
      expect(detail).toMatchObject({ participant, publicKey: key.publicKey });
    });

    it('is refused when another key made the signature', () => {
      worldOf().refused('INVALID_SIGNATURE', combined({}, keyOf('mallory')), validator);
    });

    it('is refused when the signature covers another topology, although every transaction is signed', () => {
      const { signature } = combined(hosts);
      worldOf().refused('INVALID_SIGNATURE', { ...topologyOf('dave', key), signature }, validator);
    });

    it('is refused without any signature', () => {
      const { signature: _, ...unsigned } = combined();
      worldOf().refused('INVALID_SIGNATURE', unsigned, validator);
    });

    it('is accepted at every participant that it names, and registers the first one as the host', () => {
      for (const at of [participant, 'PAR::other::1220cd']) {
        const submitted = { ...combined(hosts), participant: at };
        expect(worldOf().accepted('ExternalPartyRegistered', submitted, validator).detail.participant).toBe(
          participant,
        );
      }
      worldOf().refused('GROUP_MISMATCH', { ...combined(hosts), participant: 'PAR::third::1220ef' }, validator);
    });

    it('is accepted when the first participant may only observe', () => {
      worldOf().accepted('ExternalPartyRegistered', combined({ ...hosts, observesOnly: true }), validator);
    });

    it('is refused when a further participant is malformed', () => {
      const topology = combined(hosts);
      const transactions = topology.transactions.map(({ transaction }) => {
        const text = Buffer.from(transaction, 'base64').toString('utf8');
        return { transaction: Buffer.from(text.replace('"others":[{', '"others":[7,{')).toString('base64') };
      });
      worldOf().refused('INVALID_ARGUMENT', { ...topology, transactions }, validator);
    });
  });

  it('requires a signature for every later command of the party', () => {
    const world = worldOf();
    const { party } = external(world, 'dave');
    const propose: Command = { type: 'ProposePreapproval', receiver: party, provider: validator };
    expect(world.refused('NOT_AUTHORISED', propose, party).required).toBe(party);
    expect(world.refused('NOT_AUTHORISED', propose, validator, dso, party).required).toBe(party);
  });
});

describe('a setup proposal', () => {
  it('is paid by the validator in advance: 1.644 for 90 days at 0.15 USD', () => {
    const { world, update, proposal } = proposed();
    expect(update.detail).toMatchObject({
      validator,
      user,
      preapprovalExpiresAt: ninetyDays,
      fee: amount('1.644'),
      burned: amount('1.644'),
      inputs: 1,
      change: world.holdings(validator)[0]?.id,
    });
    expect(world.coinsOf(validator)).toEqual(['8.356']);
    expect(find(world.state, 'ExternalPartySetupProposal', proposal)).toMatchObject({ createdAt: second(0) });
    expect(update.created).toContainEqual(
      expect.objectContaining({ template: 'ValidatorRewardCoupon', user: validator, amount: amount('1.644') }),
    );
  });

  it('on acceptance creates the validator right, and a preapproval that begins when the proposal was made', () => {
    const { world, proposal } = proposed();
    world.wait(3600);
    const { archived, created, detail } = world.accepted(
      'ExternalPartySetupAccepted',
      { type: 'AcceptExternalPartySetupProposal', proposal },
      user,
    );
    expect(archived).toEqual([proposal]);
    expect(created).toEqual([
      { id: detail.validatorRight, template: 'ValidatorRight', user, validator },
      {
        id: detail.preapproval,
        template: 'TransferPreapproval',
        receiver: user,
        provider: validator,
        validFrom: second(0),
        lastRenewedAt: second(0),
        expiresAt: ninetyDays,
      },
    ]);
    expect(detail).toMatchObject({ minted: 0n, burned: 0n });
    expect(preapprovalOf(world.state, user, world.now)?.id).toBe(detail.preapproval);
  });

  it('on acceptance keeps an existing validator right', () => {
    const { world, proposal } = proposed();
    const right = world.put({ template: 'ValidatorRight', user, validator });
    const accept: Command = { type: 'AcceptExternalPartySetupProposal', proposal };
    const { created, detail } = world.accepted('ExternalPartySetupAccepted', accept, user);
    expect(created.map(({ template }) => template)).toEqual(['TransferPreapproval']);
    expect(detail.validatorRight).toBe(right);
  });

  it('can be accepted until the end of its preapproval', () => {
    const accept = (proposal: ContractId): Command => ({ type: 'AcceptExternalPartySetupProposal', proposal });
    const late = proposed();
    const refused = late.world.at(ninetyDays).refused('DEADLINE_PASSED', accept(late.proposal), user);
    expect(refused.deadline).toBe(ninetyDays);
    const early = proposed();
    early.world.at(tickOf(ninetyDays, -1)).accepted('ExternalPartySetupAccepted', accept(early.proposal), user);
  });

  it.each([
    ['rejected by the user', 'RejectExternalPartySetupProposal', 'ExternalPartySetupRejected', user, validator],
    [
      'withdrawn by the validator',
      'WithdrawExternalPartySetupProposal',
      'ExternalPartySetupWithdrawn',
      validator,
      user,
    ],
  ] as const)('can be %s at any time, without a refund', (_, type, kind, actor, other) => {
    for (const at of [second(0), ninetyDays]) {
      const { world, proposal } = proposed();
      world.at(at);
      const reason = 'changed my mind';
      expect(world.refused('NOT_AUTHORISED', { type, proposal }, other, dso).required).toBe(actor);
      const { detail, archived } = world.accepted(kind, { type, proposal, reason }, actor);
      expect(archived).toEqual([proposal]);
      expect(detail).toMatchObject({ validator, user, reason, minted: 0n, burned: 0n });
      expect(world.coinsOf(validator)).toEqual(['8.356']);
      world.refused('CONTRACT_NOT_FOUND', { type, proposal }, actor);
      world.refused('CONTRACT_NOT_FOUND', { type: 'AcceptExternalPartySetupProposal', proposal }, user);
    }
  });

  it('can be accepted by the user only', () => {
    const { world, proposal } = proposed();
    const accept: Command = { type: 'AcceptExternalPartySetupProposal', proposal };
    expect(world.refused('NOT_AUTHORISED', accept, validator, dso).required).toBe(user);
  });

  describe('the checks of a setup proposal', () => {
    const world = worldOf({ amuletPrice: price });
    const coin = world.fund(validator, '10');
    const small = world.fund(validator, '1');
    const foreign = world.fund(user, '10');
    interface Plan {
      actAs: readonly PartyId[];
      preapprovalExpiresAt: Instant;
      inputs: readonly ContractId[];
    }
    precedence<Plan>(
      { actAs: [validator], preapprovalExpiresAt: ninetyDays, inputs: [coin] },
      [
        ['NOT_AUTHORISED', { actAs: [user, dso] }],
        ['DEADLINE_PASSED', { preapprovalExpiresAt: second(0) }],
        ['NO_INPUTS', { preapprovalExpiresAt: ninetyDays, inputs: [] }],
        ['CONTRACT_NOT_FOUND', { inputs: [nowhere] }],
        ['GROUP_MISMATCH', { inputs: [foreign] }],
        ['INSUFFICIENT_FUNDS', { inputs: [small] }],
      ],
      (code: RejectionCode, { actAs, ...plan }: Plan) =>
        void world.refused(code, { type: 'CreateExternalPartySetupProposal', validator, user, ...plan }, ...actAs),
    );
  });
});

describe('the balance of an external party', () => {
  function holding(options: LedgerOptions): World {
    const { world, proposal } = proposed(options);
    world.accepted('ExternalPartySetupAccepted', { type: 'AcceptExternalPartySetupProposal', proposal }, user);
    world.fundEach(user, ['10', '20']);
    const inputs = [world.holdings(user)[0]?.id as ContractId];
    const executeBefore = second(3600);
    world.submit(
      { type: 'CreateOffer', sender: user, receiver: validator, amount: amount('4'), executeBefore, inputs },
      user,
    );
    return world;
  }

  it.each(['legacy-fees', 'feeless', 'feeless-24h'] as const)(
    'has coin and fees as of the oldest open round (%s)',
    (profile) => {
      const world = holding({ profile, amuletPrice: price });
      world.advanceRounds(5);
      const coins = world.holdings(user);
      const locked = world.locked(user);
      const feesOf = (held: typeof coins): bigint =>
        held.reduce((sum, coin) => sum + coin.ratePerRound * BigInt(balance.asOfRound - coin.createdAt), 0n);
      const balance = externalBalanceOf(world.state, user, validator) as NonNullable<
        ReturnType<typeof externalBalanceOf>
      >;
      const [oldest] = [...allOf(world.state, 'OpenMiningRound')];
      expect(balance.asOfRound).toBe(oldest?.round);
      expect(balance.asOfRound).toBe(5);
      expect(balance.unlocked).toBe(Amount.sum(coins.map((coin) => coin.amount)));
      expect(balance.locked).toBe(Amount.sum(locked.map((coin) => coin.amount)));
      expect(balance.total).toBe(balance.unlocked + balance.locked);
      expect(balance.feesUnlocked).toBe(feesOf(coins));
      expect(balance.feesLocked).toBe(feesOf(locked));
      expect(balance.feesUnlocked).toBeGreaterThan(0n);
      expect(balance.feesTotal).toBe(balance.feesUnlocked + balance.feesLocked);
      expect(balance.available).toBe(balance.unlocked - balance.feesUnlocked);
    },
  );

  it('is null at a validator whose proposal was not accepted', () => {
    const { world } = proposed();
    expect(externalBalanceOf(world.state, user, validator)).toBeNull();
    expect(externalBalanceOf(holding({}).state, user, dso)).toBeNull();
  });
});
