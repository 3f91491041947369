// Coinlab with the workload of the peers: preapproved transfers of an engine that keeps its log, smallest inputs first.
// With `numbers`, it pays by wallet number.
import { createHash } from 'node:crypto';
import { measure } from './pace.mjs';

const COINS_PER_PARTY = 8;
const BATCH = 5_000;
const inNumbers = process.argv.includes('numbers');
const coins = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1_000);

await measure({
  async first() {
    const core = await imported();
    const peer = opened(core, 2);
    if (pay(peer, { sender: 0, receiver: 1, units: 5_000_000_000 }) !== 1) throw new Error('the first is refused');
    return peer;
  },

  prepare(peer) {
    if (peer.parties.length === 2) Object.assign(peer, opened(peer.core, Math.ceil(coins / COINS_PER_PARTY)));
    return Array.from({ length: BATCH }, () => payment(peer));
  },

  make(peer, batch) {
    let accepted = 0;
    for (const one of batch) accepted += pay(peer, one);
    peer.accepted += accepted;
    return accepted;
  },

  check({ engine, log, opening, accepted }) {
    const made = engine.state.offset - opening;
    if (made !== accepted || log.whole().length < accepted) throw new Error(`${accepted} transfers, ${made} updates`);
  },
});

async function imported() {
  const parts = [import('@coinlab/core'), import('@coinlab/core/views')];
  if (inNumbers) parts.push(import('@coinlab/core/simulation'));
  return Object.assign({}, ...(await Promise.all(parts)));
}

function opened(core, count) {
  const { Amount, GENESIS_TIME: now, Instant, PartyId, firstByKey, genesisConfig, openCompactLog, openEngine } = core;
  const log = openCompactLog(1, sha256);
  const config = { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero };
  const engine = openEngine({ seed: 1, config, log });
  const provider = PartyId.of('DSO');
  const parties = Array.from({ length: count }, (_, i) => PartyId.of(`party-${i}`));
  const submit = (command, actAs) => {
    const outcome = engine.submit(command, { now, actAs });
    if (!outcome.ok) throw new Error(`refused: ${outcome.error.code}`);
  };
  for (const [i, receiver] of parties.entries()) {
    submit({ type: 'CreatePreapproval', receiver, provider, expiresAt: Instant.latest, inputs: [] }, [
      provider,
      receiver,
    ]);
    for (let coin = 0; coin < COINS_PER_PARTY; coin++) {
      const units = 10_000_000_000 + (((i * COINS_PER_PARTY + coin) * 7_919) % 1_000_003) * 20_000;
      submit({ type: 'Tap', receiver, amount: Amount.ofUnits(BigInt(units)) }, [receiver]);
    }
  }
  const wallets = inNumbers ? parties.map((party) => core.walletOf(engine.state, party)) : [];
  const preapprovals = parties.map((party) => firstByKey(engine.state, 'TransferPreapproval', `receiver:${party}`).id);
  const balances = parties.map((party) => core.unlockedTotalOf(engine.state, party));
  const opening = engine.state.offset;
  return { core, log, engine, opening, parties, wallets, preapprovals, balances, drawn: 1, accepted: 0 };
}

/**
 * Returns a payment of a quarter to two coins between two different parties. The richer one pays, so that no
 * party runs out of coin.
 */
function payment(peer) {
  const draw = (below) => {
    peer.drawn = (Math.imul(peer.drawn, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((peer.drawn / 2 ** 32) * below);
  };
  const one = draw(peer.parties.length);
  const other = (one + 1 + draw(peer.parties.length - 1)) % peer.parties.length;
  const { balances } = peer;
  const [sender, receiver] = balances[one] >= balances[other] ? [one, other] : [other, one];
  const units = 2_500_000_000 + draw(1_000_003) * 17_500;
  balances[sender] -= BigInt(units);
  balances[receiver] += BigInt(units);
  return { sender, receiver, units };
}

/** Returns the number of accepted transfers: 0 if the sender has too little coin. */
function pay({ core, engine, parties, wallets, preapprovals }, { sender, receiver, units }) {
  if (inNumbers) {
    const [from, to] = [wallets[sender], wallets[receiver]];
    return core.pay(engine, { from, to, units, now: core.GENESIS_TIME }).ok ? 1 : 0;
  }
  const from = parties[sender];
  const amount = core.Amount.ofUnits(BigInt(units));
  const inputs = core.inputsCovering(engine.state, from, amount, 'smallest');
  const preapproval = preapprovals[receiver];
  const command = { type: 'DirectTransfer', sender: from, receiver: parties[receiver], amount, inputs, preapproval };
  return engine.submit(command, { now: core.GENESIS_TIME, actAs: [from] }).ok ? 1 : 0;
}

function sha256(...pieces) {
  return pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();
}
