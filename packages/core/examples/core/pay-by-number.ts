// Pay by number. It gives the same update and the same rejections as the corresponding command, without looking up names.
// On Node the platform hashes the log ten times as fast as the hash of the core.
import { createHash } from 'node:crypto';
import { Amount, genesisConfig, GENESIS_TIME, Instant, openCompactLog, openEngine, PartyId } from '@coinlab/core';
import { pay, walletOf } from '@coinlab/core/simulation';
import type { Sha256 } from '@coinlab/core/codec';

const sha256: Sha256 = (...pieces) => pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const log = openCompactLog(7, sha256);
const config = { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero };
const engine = openEngine({ seed: 7, config, log });
const at = (...actAs: PartyId[]) => ({ now: GENESIS_TIME, actAs });
engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('100') }, at(alice));
engine.submit(
  { type: 'CreatePreapproval', receiver: bob, provider: alice, expiresAt: Instant.latest, inputs: [] },
  at(bob, alice),
);

const [from, to] = [walletOf(engine.state, alice), walletOf(engine.state, bob)];
const payment = { from, to, units: 30_000_000_000, now: GENESIS_TIME };
let paid = 0;
while (pay(engine, payment).ok) paid += 1;
console.log(paid, pay(engine, payment));

// Prints:
// 33 {
//   ok: false,
//   error: { code: 'INSUFFICIENT_FUNDS', missing: 20000000000n }
// }
