import assert from 'node:assert/strict';
import { labelsOf, sumOf, unitsOf } from './labels.mjs';
import { connect, Wallet } from './wallet.mjs';

const historyOf = ({ sdk, partyId }) => sdk.token.holdings({ partyId });
const coinOf = async (wallet) => (await wallet.amounts()).reduce((sum, amount) => sum + unitsOf(amount), 0n);
const types = (labels) => labels.map(({ type }) => type);

export async function labelsItsHistory(url) {
  const sdk = await connect(url);
  const sender = await Wallet.create(sdk, url, 'story-history-sender');
  const receiver = await Wallet.create(sdk, url, 'story-history-receiver');
  await sender.tap('100');
  await sender.tap('50');
  const [merges, disclosed] = await sdk.token.utxos.merge({ partyId: sender.partyId });
  for (const command of merges) await sender.execute([command, disclosed]);
  await sender.send(receiver, '30', { memo: 'rent' });
  const [accepted] = await receiver.pending();
  await receiver.execute(await receiver.answer('accept', accepted.contractId));
  await sender.send(receiver, '20');
  const [withdrawn] = await receiver.pending();
  await sender.execute(await sender.answer('withdraw', withdrawn.contractId));

  const [ofSender, ofReceiver] = [await historyOf(sender), await historyOf(receiver)];
  const labels = labelsOf(ofSender);
  const merged = Array(2).fill('MergeSplit');
  assert.deepEqual(types(labels), ['Mint', 'Mint', ...merged, 'TransferOut', ...merged]);
  assert.deepEqual([labels[0].mintAmount, labels[0].reason], ['100', 'tapped faucet']);
  const { receiverAmounts } = labels[4];
  assert.deepEqual(receiverAmounts, [{ receiver: receiver.partyId, amount: '30' }]);
  const [received, ...others] = labelsOf(ofReceiver);
  assert.deepEqual(others, []);
  assert.deepEqual([received.type, received.sender, received.reason], ['TransferIn', sender.partyId, 'rent']);
  assert.equal(sumOf(ofSender), await coinOf(sender));
  assert.equal(sumOf(ofReceiver), await coinOf(receiver));
}

/** The SDK keeps the contracts that it has read, and applies later updates to them. */
export async function keepsContractsInItsCache(url) {
  const sdk = await connect(url);
  const owner = await Wallet.create(sdk, url, 'story-cache');
  const coins = () => sdk.ledger.acs.read({ templateIds: [COIN], parties: [owner.partyId], filterByParty: true });
  assert.deepEqual(await coins(), []);
  await owner.tap('5');
  const [coin, ...others] = await coins();
  assert.deepEqual(others, []);
  await owner.tap('7');
  assert.equal((await coins()).length, 2);
  await owner.send(owner, '12');
  const [merged, ...rest] = await coins();
  assert.deepEqual(rest, []);
  assert.equal(merged.createArgument.amount.initialAmount, '12.0000000000');
  assert.notEqual(merged.contractId, coin.contractId);
}

const COIN = '#splice-amulet:Splice.Amulet:Amulet';
const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';

/** Updates and completions arrive in the order of the ledger, those of other parties not at all. */
export async function followsEvents(url) {
  const sdk = await connect(url);
  const [owner, other] = [await Wallet.create(sdk, url, 'story-events'), await Wallet.create(sdk, url, 'story-others')];
  const { completionOffset: begin } = await owner.tap('1');
  await other.tap('1');
  const made = [await owner.tap('2'), await owner.tap('3'), await owner.send(owner, '6')];
  const updates = await first(
    made.length,
    sdk.events.updates({ partyId: owner.partyId, interfaceIds: [HOLDING], beginOffset: begin }),
  );
  const completions = await first(
    made.length,
    sdk.events.completions({ parties: [owner.partyId], beginOffset: begin }),
  );
  const expected = made.map(({ updateId, completionOffset: offset }) => ({ updateId, offset }));
  const seen = updates.map(({ update }) => update.Transaction.value);
  assert.deepEqual(
    seen.map(({ updateId, offset }) => ({ updateId, offset })),
    expected,
  );
  const completed = completions.map(({ completionResponse }) => completionResponse.Completion.value);
  assert.deepEqual(
    completed.map(({ updateId, offset }) => ({ updateId, offset })),
    expected,
  );
  const events = seen.at(-1).events.map((event) => Object.keys(event)[0]);
  assert.deepEqual(events, ['ArchivedEvent', 'ArchivedEvent', 'ArchivedEvent', 'CreatedEvent']);
}

/** Returns the first events of a stream, then closes it. */
async function first(count, stream) {
  const events = [];
  for await (const event of stream) if (events.push(event) === count) break;
  return events;
}
