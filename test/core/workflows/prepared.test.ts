import { createHash } from 'node:crypto';
import { allOf } from '@coinlab/core/views';
import {
  Engine,
  Duration,
  find,
  Instant,
  PartyId,
  prepare,
  prepareContent,
  replay,
  type Command,
  type ContractId,
  type LedgerOptions,
  type RejectionCode,
} from '@coinlab/core';
import { preparedHash, readPrepared } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { external, keyOf, signed, topologyOf, type External } from '../external-keys.ts';
import {
  alice,
  amount,
  bob,
  carol,
  dso,
  provider as validator,
  second,
  tickOf,
  worldOf,
  type World,
} from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type Submit = Extract<Command, { type: 'SubmitPrepared' }>;

const day = Duration.hours(24);

/** A world in which dave, who signs himself, has coins. */
function withDave(options: LedgerOptions = {}): { world: World; dave: External; coins: readonly ContractId[] } {
  const world = worldOf(options);
  const dave = external(world, 'dave');
  // He receives coin by an accepted offer, because no party can mint with his authority.
  const coins = ['5', '7'].map((value) => paid(world, dave, value));
  return { world, dave, coins };
}

function paid(world: World, receiver: External, value: string): ContractId {
  const inputs = [world.fund(alice, value)];
  const executeBefore = Instant.plus(world.now, Duration.hours(1));
  const terms = { sender: alice, receiver: receiver.party, amount: amount(value) };
  const offer: Command = { type: 'CreateOffer', ...terms, executeBefore, inputs };
  const { instruction } = world.accepted('TransferOffered', offer, alice).detail;
  const accept = signed(world, receiver, { type: 'AcceptOffer', instruction });
  return world.accepted('TransferAccepted', accept).detail.holdings[0] as ContractId;
}

const order = ({ party }: External, change: Partial<Extract<Command, { type: 'CreateTransferCommand' }>> = {}) =>
  ({
    type: 'CreateTransferCommand',
    sender: party,
    receiver: bob,
    delegate: validator,
    amount: amount('1'),
    expiresAt: second(600_000),
    nonce: 0,
    ...change,
  }) as const satisfies Command;

describe('preparing a command', () => {
  it('changes no state and returns the hash: version 2 and the transaction, with purpose 48', () => {
    const { world, dave } = withDave();
    const before = world.ledger.hash();
    const prepared = prepare({ party: dave.party, command: order(dave), now: world.now }, world.state);
    if (!prepared.ok) throw new Error('it can be prepared');
    const { transaction, hash } = prepared.value;
    const bytes = Buffer.concat([Buffer.from([0, 0, 0, 48, 2]), Buffer.from(transaction, 'base64')]);
    expect(hash).toBe(`1220${createHash('sha256').update(bytes).digest('hex')}`);
    expect(preparedHash(transaction)).toEqual({ ok: true, value: hash });
    expect(world.ledger.hash()).toBe(before);
  });

  it('encodes the command and all facts that the signature covers', () => {
    const { world, dave } = withDave();
    const request = { party: dave.party, command: order(dave), now: world.now, salt: 'x', commandId: 'c-1' };
    const prepared = prepare(request, world.state);
    if (!prepared.ok) throw new Error('it can be prepared');
    expect(readPrepared(prepared.value.transaction)).toEqual({
      ok: true,
      value: {
        dso,
        party: dave.party,
        preparedAt: world.now,
        expiresAt: Instant.plus(world.now, day),
        offset: world.state.offset,
        salt: 'x',
        commandId: 'c-1',
        uses: [],
        command: expect.objectContaining({ type: 'CreateTransferCommand', amount: '1.0000000000', nonce: 0 }),
      },
    });
  });

  it('lists the active contracts that it uses in ascending order, for any order in the command', () => {
    const { world, dave, coins } = withDave();
    const command = {
      type: 'SelfTransfer',
      sender: dave.party,
      amount: amount('1'),
      inputs: coins.toReversed(),
    } as const;
    const prepared = prepare({ party: dave.party, command, now: world.now }, world.state);
    if (!prepared.ok) throw new Error('it can be prepared');
    const read = readPrepared(prepared.value.transaction);
    const uses = read.ok ? read.value.uses : [];
    // Round 1, the newest that has opened.
    const [, open] = allOf(world.state, 'OpenMiningRound');
    expect(uses).toEqual([open?.id, ...coins]);
    expect(uses).toEqual([...uses].sort((a, b) => a - b));
    expect(coins[0]).toBeLessThan(coins[1] ?? 0);
  });

  it('keeps a purchase of traffic valid when the member sends messages, since it does not name the balance', () => {
    const { world, dave } = withDave();
    const member = { memberId: `PAR::${validator}`, synchronizerId: PartyId.of('global-domain'), migrationId: 0 };
    const consume = { type: 'ConsumeTraffic', ...member, bytes: 100 } as const;
    world.accepted('TrafficConsumed', consume, dso);
    const { memberId } = member;
    const inputs = [paid(world, dave, '1000')];
    const buy = { type: 'BuyMemberTraffic', payer: dave.party, memberId, trafficBytes: 200_000, inputs } as const;
    const submit = signed(world, dave, buy);
    world.accepted('TrafficConsumed', consume, dso);
    world.accepted('TrafficPurchased', submit);
  });

  it('gives equal commands different hashes, by the ledger’s offset and by the salt', () => {
    const { world, dave } = withDave();
    const hashOf = (salt: string): unknown =>
      prepare({ party: dave.party, command: order(dave), now: world.now, salt }, world.state);
    expect(hashOf('')).toEqual(hashOf(''));
    expect(hashOf('a')).not.toEqual(hashOf('b'));
    const before = hashOf('');
    world.fund(carol, '1');
    expect(hashOf('')).not.toEqual(before);
  });

  it('is valid for one tick when the command names a round, otherwise for a day', () => {
    const { world, dave, coins } = withDave();
    const lifeOf = (command: Command): Duration => {
      const prepared = prepare({ party: dave.party, command, now: world.now }, world.state);
      if (!prepared.ok) throw new Error(prepared.error.code);
      return Instant.between(world.now, prepared.value.expiresAt);
    };
    const split: Command = { type: 'SelfTransfer', sender: dave.party, amount: amount('1'), inputs: coins };
    expect(lifeOf(split)).toBe(Duration.minutes(10));
    const offer = { sender: dave.party, receiver: bob, amount: amount('1'), executeBefore: second(900) } as const;
    expect(lifeOf({ type: 'CreateOffer', ...offer, inputs: coins })).toBe(Duration.minutes(10));
    expect(lifeOf(order(dave))).toBe(day);
    const later = withDave({ profile: 'feeless-24h' });
    expect(
      prepare(
        {
          party: later.dave.party,
          command: { ...split, sender: later.dave.party, inputs: later.coins },
          now: later.world.now,
        },
        later.world.state,
      ),
    ).toMatchObject({ ok: true, value: { expiresAt: Instant.plus(later.world.now, day) } });
  });

  it.each<[RejectionCode, string, (dave: External, world: World) => Partial<Parameters<typeof prepare>[0]>]>([
    ['TIME_IN_PAST', 'a time before the ledger’s', () => ({ now: second(-1) })],
    ['CONTRACT_NOT_FOUND', 'a party without a key', () => ({ party: alice })],
    ['DEADLINE_PASSED', 'a command whose guard fails', (dave) => ({ command: order(dave, { expiresAt: second(0) }) })],
    ['DSO_MISMATCH', 'a command for another ledger', (dave) => ({ command: order(dave, { expectedDso: alice }) })],
    [
      'NOT_AUTHORISED',
      'a command that somebody else must authorise',
      (dave) => ({ command: { type: 'Mint', receiver: dave.party, amount: amount('1') } }),
    ],
    [
      'INVALID_ARGUMENT',
      'a command that carries a signature itself',
      (dave, world) => ({ command: signed(world, dave, order(dave)) }),
    ],
    ['INVALID_ARGUMENT', 'a topology, which carries signatures too', () => ({ command: topologyOf('erin') })],
  ])('is refused with %s in advance for %s', (code, _, change) => {
    const { world, dave } = withDave();
    const request = { party: dave.party, command: order(dave), now: world.now, ...change(dave, world) };
    expect(prepare(request, world.state)).toMatchObject({ ok: false, error: { code } });
  });

  it.each([prepare, prepareContent])('is refused with NOT_BOOTSTRAPPED by %o before the ledger is open', (prepares) => {
    const { world, dave } = withDave();
    const request = { party: dave.party, command: order(dave), now: world.now };
    expect(prepares(request, new Engine().state)).toEqual({ ok: false, error: { code: 'NOT_BOOTSTRAPPED' } });
  });
});

describe('a signed transaction', () => {
  it('is executed as its party when any party submits it', () => {
    const { world, dave, coins } = withDave();
    const pay: Command = {
      type: 'CreateOffer',
      sender: dave.party,
      receiver: bob,
      amount: amount('6'),
      executeBefore: second(3600),
      inputs: coins,
    };
    const { actAs, detail, created } = world.accepted('TransferOffered', signed(world, dave, pay), carol);
    expect(actAs).toEqual([dave.party]);
    expect(detail).toMatchObject({ sender: dave.party, amount: amount('6') });
    expect(created.map(({ template }) => template)).toEqual([
      'Holding',
      'Holding',
      'TransferInstruction',
      'ExecutedTransaction',
    ]);
    expect(world.coinsOf(dave.party)).toEqual(['6.0']);
  });

  it.each<[string, (dave: External, coins: readonly ContractId[]) => Command, (world: World) => void]>([
    [
      'a transfer to itself',
      ({ party }, inputs) => ({ type: 'SelfTransfer', sender: party, amount: amount('12'), inputs }),
      () => undefined,
    ],
    [
      'a direct transfer',
      ({ party }, inputs) => ({ type: 'DirectTransfer', sender: party, receiver: bob, amount: amount('2'), inputs }),
      (world) => void preapprove(world),
    ],
    ['a TransferCommand', (dave) => order(dave), () => undefined],
    [
      'a minting delegation',
      ({ party }) => ({
        type: 'ProposeMintingDelegation',
        beneficiary: party,
        delegate: validator,
        expiresAt: second(9999),
        amuletMergeLimit: 10,
      }),
      () => undefined,
    ],
    [
      'a merge delegation',
      ({ party }) => ({ type: 'ProposeMergeDelegation', owner: party, operator: validator }),
      () => undefined,
    ],
    [
      'a preapproval',
      ({ party }) => ({ type: 'ProposePreapproval', receiver: party, provider: validator }),
      () => undefined,
    ],
  ])('executes this command as its party: %s', (_, commandOf, arrange) => {
    const { world, dave, coins } = withDave();
    arrange(world);
    const submit = signed(world, dave, commandOf(dave, coins));
    expect(world.submit(submit).actAs).toEqual([dave.party]);
  });

  it("can reject an incoming offer and withdraw the party's own offer", () => {
    const { world, dave, coins } = withDave();
    const offer = (sender: PartyId, receiver: PartyId, inputs: readonly ContractId[]): Command => ({
      type: 'CreateOffer',
      sender,
      receiver,
      amount: amount('1'),
      executeBefore: second(3600),
      inputs,
    });
    const incoming = world.accepted('TransferOffered', offer(bob, dave.party, [world.fund(bob, '1')]), bob).detail;
    const reject: Command = { type: 'RejectOffer', instruction: incoming.instruction };
    world.accepted('TransferRejected', signed(world, dave, reject));
    const own = world.accepted('TransferOffered', signed(world, dave, offer(dave.party, bob, coins))).detail;
    world.accepted('TransferWithdrawn', signed(world, dave, { type: 'WithdrawOffer', instruction: own.instruction }));
  });

  it('takes effect at most once', () => {
    const { world, dave } = withDave();
    const submit = signed(world, dave, order(dave));
    world.accepted('TransferCommandCreated', submit);
    const executed = [...allOf(world.state, 'ExecutedTransaction')].at(-1);
    expect(world.refused('ALREADY_EXISTS', submit).contract).toBe(executed?.id);
    expect([...allOf(world.state, 'TransferCommand')]).toHaveLength(1);
    // The same order again is another transaction.
    world.accepted('TransferCommandCreated', signed(world, dave, order(dave), 'again'));
    expect([...allOf(world.state, 'TransferCommand')]).toHaveLength(2);
  });

  it('can be submitted again when its first submission was refused', () => {
    const { world, dave } = withDave();
    const submit = signed(world, dave, order(dave));
    world.at(second(-1)).refused('TIME_IN_PAST', submit);
    world.at(second(60)).accepted('TransferCommandCreated', submit);
  });

  it('is recorded until it expires, and is refused as expired afterwards', () => {
    const { world, dave } = withDave();
    const first = signed(world, dave, order(dave));
    const { recordTime } = world.accepted('TransferCommandCreated', first);
    const expiresAt = Instant.plus(recordTime, day);
    world.at(tickOf(expiresAt, -1)).refused('ALREADY_EXISTS', first);
    world.at(expiresAt);
    const kept = [...allOf(world.state, 'ExecutedTransaction')];
    expect(kept.length).toBeGreaterThan(1);
    const { archived } = world.accepted('TransferCommandCreated', signed(world, dave, order(dave)));
    expect(archived).toEqual(kept.map(({ id }) => id));
    expect([...allOf(world.state, 'ExecutedTransaction')]).toHaveLength(1);
    world.refused('DEADLINE_PASSED', first);
  });

  it('fails when a contract that it uses was archived', () => {
    const { world, dave, coins } = withDave();
    const [coin] = coins as [ContractId];
    const pay = (inputs: readonly ContractId[]): Command => ({
      type: 'SelfTransfer',
      sender: dave.party,
      amount: amount('1'),
      inputs,
    });
    const late = signed(world, dave, pay([coin]));
    world.accepted('SelfTransferred', signed(world, dave, pay([coin]), 'first'));
    expect(world.refused('CONTRACT_NOT_FOUND', late).contract).toBe(coin);
  });

  it('fails when the preapproval that it uses has been renewed', () => {
    const { world, dave, coins } = withDave();
    const { preapproval } = preapprove(world);
    const pay: Command = {
      type: 'DirectTransfer',
      sender: dave.party,
      receiver: bob,
      amount: amount('2'),
      inputs: coins,
    };
    const submit = signed(world, dave, pay);
    const inputs = [world.fund(validator, '500')];
    const newExpiresAt = second(9_000_000);
    world.submit({ type: 'RenewPreapproval', preapproval, newExpiresAt, inputs }, validator);
    expect(world.refused('CONTRACT_NOT_FOUND', submit).contract).toBe(preapproval);
  });

  it('fails when its round is no longer open, also before the transaction expires', () => {
    const { world, dave, coins } = withDave();
    world.advanceRounds(2);
    const submit = signed(world, dave, {
      type: 'SelfTransfer',
      sender: dave.party,
      amount: amount('1'),
      inputs: coins,
    });
    const read = readPrepared(submit.transaction);
    const round = read.ok ? read.value.uses.find((id) => find(world.state, 'OpenMiningRound', id)) : undefined;
    expect(round).toBeDefined();
    const { now } = world;
    world.take(round as ContractId);
    expect(world.at(now).refused('CONTRACT_NOT_FOUND', submit).contract).toBe(round);
  });

  it('is bound to its round when it creates coin', () => {
    const { world, dave, coins } = withDave();
    const submit = signed(world, dave, {
      type: 'CreateOffer',
      sender: dave.party,
      receiver: alice,
      amount: amount('1'),
      inputs: coins,
      executeBefore: Instant.plus(world.now, Duration.days(2)),
    });
    const read = readPrepared(submit.transaction);
    const uses = read.ok ? read.value.uses : [];
    expect(uses.filter((id) => find(world.state, 'OpenMiningRound', id))).toHaveLength(1);
  });

  it('is refused on another ledger', () => {
    const { world, dave } = withDave();
    const submit = signed(world, dave, order(dave));
    const other = worldOf({ dso: PartyId.of('OtherDSO') });
    external(other, 'dave');
    other.refused('DSO_MISMATCH', submit);
  });

  it('is replayed from the log without its key', () => {
    const { world, dave } = withDave();
    world.accepted('TransferCommandCreated', signed(world, dave, order(dave)));
    expect(replay(world.ledger.updates()).hash()).toBe(world.ledger.hash());
  });

  describe('the checks of a signed transaction', () => {
    const { world, dave } = withDave();
    const erin = external(world, 'erin');
    const good = signed(world, dave, order(dave));
    const done = signed(world, dave, order(dave), 'done');
    world.accepted('TransferCommandCreated', done);
    const ofNobody = { ...dave, party: PartyId.of('nobody') };
    const otherWorld = worldOf({ dso: PartyId.of('OtherDSO') });
    const foreign = signed(otherWorld, external(otherWorld, 'dave'), order(dave));
    const resigned = (transaction: string): Partial<Submit> => {
      const hash = preparedHash(transaction);
      if (!hash.ok) throw new Error('a transaction has a hash');
      return { transaction, signature: dave.key.sign(hash.value) };
    };
    const edited = (change: object): string =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(good.transaction, 'base64').toString('utf8')), ...change }),
      ).toString('base64');
    const base: Submit = { ...good, ...resigned(edited({ command: { type: 'Nonsense' } })) };
    precedence<Submit>(
      base,
      [
        ['INVALID_ARGUMENT', { transaction: '?' }, 'no base64'],
        ['INVALID_ARGUMENT', { transaction: Buffer.from('{}').toString('base64') }, 'no transaction'],
        ['GROUP_MISMATCH', { transaction: good.transaction, party: erin.party }],
        ['DSO_MISMATCH', { party: dave.party, transaction: foreign.transaction }],
        ['CONTRACT_NOT_FOUND', { party: ofNobody.party, transaction: edited({ party: ofNobody.party }) }, 'the key'],
        ['INVALID_SIGNATURE', { party: dave.party, transaction: edited({ salt: 'changed' }) }, 'tampered'],
        ['INVALID_SIGNATURE', { transaction: good.transaction, signature: erin.key.sign('00') }, "another's signature"],
        ['INVALID_SIGNATURE', { signature: good.signature, publicKey: keyOf('mallory').publicKey }, "another's key"],
        ['ALREADY_EXISTS', done],
        ['DEADLINE_PASSED', resigned(edited({ expiresAt: Instant.format(world.now), uses: [999_999] }))],
        ['CONTRACT_NOT_FOUND', resigned(edited({ uses: [999_999], command: {} })), 'what it uses'],
        ['INVALID_ARGUMENT', resigned(edited({ command: { type: 'Nonsense' } })), 'no command'],
        ['INVALID_ARGUMENT', resigned(edited({ command: done })), 'a signed transaction inside'],
        [
          'NOT_AUTHORISED',
          resigned(edited({ command: { type: 'ProposePreapproval', receiver: erin.party, provider: dave.party } })),
          "another's command",
        ],
      ],
      (code: RejectionCode, plan: Submit) => void world.refused(code, plan, dave.party),
    );
  });

  it("is accepted with its own party's key and signature only", () => {
    const { world, dave } = withDave();
    const mallory = keyOf('mallory');
    const good = signed(world, dave, order(dave));
    const hash = preparedHash(good.transaction);
    if (!hash.ok) throw new Error('a transaction has a hash');
    const forged = mallory.sign(hash.value);
    // The signature is good for the key that it names, which is not dave's; then the key is dave's, and the signature is not.
    world.refused('INVALID_SIGNATURE', { ...good, signature: forged, publicKey: mallory.publicKey });
    world.refused('INVALID_SIGNATURE', { ...good, signature: forged });
    world.refused('INVALID_SIGNATURE', { ...good, publicKey: mallory.publicKey });
    world.accepted('TransferCommandCreated', { ...good, publicKey: dave.key.publicKey.toUpperCase() });
  });

  it('is refused with the error of preparedHash when it is not base64', () => {
    expect(readPrepared('?')).toEqual(preparedHash('?'));
    expect(readPrepared('?')).toMatchObject({ ok: false, error: { field: 'transaction' } });
  });

  it('has the same bytes on a second ledger with the same options and commands', () => {
    const one = withDave();
    const two = withDave();
    expect(signed(one.world, one.dave, order(one.dave))).toEqual(signed(two.world, two.dave, order(two.dave)));
  });
});

function preapprove(world: World) {
  const inputs = [world.fund(validator, '500')];
  const create: Command = {
    type: 'CreatePreapproval',
    receiver: bob,
    provider: validator,
    expiresAt: second(86_400),
    inputs,
  };
  return world.accepted('PreapprovalCreated', create, bob, validator).detail;
}
