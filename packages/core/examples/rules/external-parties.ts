// External parties. An external party signs with an Ed25519 key of its own. Keys, hashes and signatures are hex texts.
import { generateKeyPairSync, sign } from 'node:crypto';
import { Amount, PartyId, prepare, prepareContent } from '@coinlab/core';
import {
  combinedHash,
  externalPartyOf,
  fingerprintOf,
  generateTopology,
  isSignedBy,
  participantOf,
  portableFormat,
  preparedHash,
  readPrepared,
} from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const keys = generateKeyPairSync('ed25519');
const publicKey = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
const signed = (hash: string): string => sign(null, Buffer.from(hash, 'hex'), keys.privateKey).toString('hex');

const world = createTestLedger();
const { alice } = world.parties;
const participant = participantOf(alice);
const topology = generateTopology({ hint: 'dave', publicKey, participant });
if (!topology.ok) throw new Error(topology.error.expected);
const { party, transactions, multiHash } = topology.value;
const id = externalPartyOf('dave', publicKey);
const fingerprint = fingerprintOf(publicKey);
console.log(PartyId.hint(party), id.ok && id.value === party, fingerprint.ok && party.endsWith(fingerprint.value));
console.log(transactions.length, combinedHash(transactions.map(({ hash }) => hash)) === multiHash);
console.log(isSignedBy({ publicKey, hash: multiHash, signature: signed(multiHash) }));

const signatures = transactions.map(({ transaction, hash }) => ({ transaction, signature: signed(hash) }));
world.execute({ type: 'SubmitTopology', publicKey, participant, transactions: signatures });
const command = { type: 'Tap', receiver: party, amount: Amount.of('2.5') } as const;
const prepared = prepare({ party, command, now: world.now }, world.state);
if (!prepared.ok) throw new Error(prepared.error.code);
const { transaction, hash } = prepared.value;
const hashed = preparedHash(transaction);
const content = prepareContent({ party, command, now: world.now }, world.state);
const read = readPrepared(transaction);
const whole = portableFormat(transaction, world.state);
console.log(
  hashed.ok && hashed.value === hash,
  content.ok && content.value.update.kind === 'Tapped',
  read.ok && read.value.party === party,
  whole.ok && whole.value.hash === hash,
);
world.execute({ type: 'SubmitPrepared', party, publicKey, transaction, signature: signed(hash) });
console.log(Amount.short(world.balanceOf(party).total));

// Prints:
// dave true true
// 3 true
// true
// true true true true
// 2.5
