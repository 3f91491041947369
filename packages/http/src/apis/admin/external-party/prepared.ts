import type { ValidatorIdentity } from '../../../host/hosted-parties.js';
import type { LedgerAccess } from '../../../gates/submit.js';
import { prepare, type Command, type PartyId, type Prepared, type Rejection, type Update } from '@coinlab/core';
import { readPrepared } from '@coinlab/core/rules';
import { z } from '@hono/zod-openapi';
import { Problem } from '../../../problem.js';
import { problemOf } from '../../../gates/status.js';
import { partyId } from '../../../wire/values.js';

export type ExternalPartyNeeds = LedgerAccess &
  ValidatorIdentity & {
    readonly salt: () => string;
  };

export const submissionSchema = z
  .object({
    party_id: partyId,
    transaction: z.string().describe('The prepared transaction in Base64.'),
    signed_tx_hash: z.string().describe('Ed25519 signature of the decoded hash: 64 bytes in hex.'),
    public_key: z.string().describe('Raw Ed25519 key of 32 bytes, in hex.'),
  })
  .openapi('ExternalPartySubmission');

export const preparedFields = {
  transaction: z.string().describe('Base64. Send it unchanged with the signature.'),
  tx_hash: z.string().describe('Multihash in hex; its bytes are signed.'),
  hashing_details: z.string().optional(),
};

export function prepareFor(
  server: ExternalPartyNeeds,
  party: PartyId,
  command: Command,
  isVerbose: boolean,
): { readonly transaction: string; readonly tx_hash: string; readonly hashing_details?: string } {
  const now = server.host.now();
  const prepared = prepare({ party, command, now, salt: server.salt() }, server.state);
  if (!prepared.ok) throw asPrecondition(prepared.error);
  const { transaction, hash }: Prepared = prepared.value;
  const details = { hashing_details: `1220 ‖ SHA-256(00000030 ‖ 02 ‖ transaction); prepared at ${now} µs` };
  return { transaction, tx_hash: hash, ...(isVerbose ? details : {}) };
}

export async function executeSigned(
  server: ExternalPartyNeeds,
  { party_id: party, transaction, signed_tx_hash: signature, public_key: publicKey }: z.output<typeof submissionSchema>,
  type: Command['type'],
): Promise<Update> {
  const read = readPrepared(transaction);
  const command = read.ok ? read.value.command : null;
  if (typeof command !== 'object' || command === null || !('type' in command) || command['type'] !== type)
    throw new Problem(400, `transaction: expected a prepared ${type}`);
  const signed: Command = { type: 'SubmitPrepared', party, transaction, signature, publicKey };
  const executed = await server.host.submit(signed, [server.validator]);
  if (executed.ok) return executed.value.update;
  throw asPrecondition(executed.error);
}

/**
 * Turns 409 into 400, except for a contract in transit: a signed transaction has no other error statuses than 400 and 404.
 * Source: specification of the API §7.3, §7.4.
 */
function asPrecondition(rejection: Rejection): Problem {
  const problem = problemOf(rejection);
  return problem.status === 409 && rejection.code !== 'CONTRACT_IN_TRANSIT'
    ? new Problem(400, problem.message)
    : problem;
}
