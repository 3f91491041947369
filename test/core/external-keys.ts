import { createHash, createPrivateKey, sign } from 'node:crypto';
import { generateTopology } from '@coinlab/core/rules';
import { prepare, type Command, type PartyId } from '@coinlab/core';
import type { World } from './ledger-fixture.ts';

/*
 * Parties whose key is on no node, with the platform's own Ed25519 as the party's program and as the oracle of ours.
 *
 *   const dave = external(world, 'dave');                 // registered by its signed topology
 *   world.submit(signed(world, dave, command));           // prepared, signed and submitted
 */

export interface Key {
  readonly publicKey: string;
  /** Signs the bytes of a hash given in hex. */
  sign(hash: string): string;
}

export interface External {
  readonly party: PartyId;
  readonly key: Key;
}

/** The participant at which everything in these tests happens. */
export const participant = 'PAR::participant::1220ab';

export function keyOf(name: string): Key {
  const seed = createHash('sha256').update(name).digest('hex');
  const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = key.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    sign: (hash) => sign(null, Buffer.from(hash, 'hex'), key).toString('hex'),
  };
}

/** The topology of a party, signed: what registers it. */
export function topologyOf(hint: string, key: Key = keyOf(hint)): Extract<Command, { type: 'SubmitTopology' }> {
  const topology = generateTopology({ hint, publicKey: key.publicKey, participant });
  if (!topology.ok) throw new Error(`no topology for ${hint}`);
  return {
    type: 'SubmitTopology',
    publicKey: key.publicKey,
    participant,
    transactions: topology.value.transactions.map(({ transaction, hash }) => ({
      transaction,
      signature: key.sign(hash),
    })),
  };
}

export function external(world: World, hint: string): External {
  const key = keyOf(hint);
  const { detail } = world.accepted('ExternalPartyRegistered', topologyOf(hint, key));
  return { party: detail.party, key };
}

/** Prepares a command for an external party and signs it: what executes it. */
export function signed(
  world: World,
  { party, key }: External,
  command: Command,
  salt: string = '',
): Extract<Command, { type: 'SubmitPrepared' }> {
  const prepared = prepare({ party, command, now: world.now, salt }, world.state);
  if (!prepared.ok) throw new Error(`${command.type} cannot be prepared: ${prepared.error.code}`);
  const { transaction, hash } = prepared.value;
  return { type: 'SubmitPrepared', party, transaction, signature: key.sign(hash), publicKey: key.publicKey };
}
