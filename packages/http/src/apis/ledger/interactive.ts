import { createRoute, z } from '@hono/zod-openapi';
import { prepareContent, type Command, type PartyId, type Update } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { callerOf } from '../../gates/caller.js';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import { ledgerProblemOf } from '../../gates/ledger/rejections.js';
import { requireExecuteAs, requirePrepareAs, rightsOf } from '../../gates/ledger/rights.js';
import type { LedgerAccess } from '../../gates/submit.js';
import { namespaceOf } from '../../host/validators.js';
import type { Caller, Register } from '../../request.js';
import { answer, jsonBody, printedJson, TOKEN } from '../../route-parts.js';
import { submittedTransactionOf } from '../../wire/ledger/transaction.js';
import { messageOf, readPreparedMessage } from '../../wire/ledger/prepared-message.js';
import {
  acceptedSchema,
  executeForTransactionSchema,
  executeSchema,
  prepareSchema,
  submittedSchema,
  transactionSchema,
} from './command-schemas.js';
import { LEDGER, ledgerProblems } from './route.js';
import {
  actingIn,
  answerFormat,
  commandIn,
  deduplicateAfter,
  requireOwnUser,
  submitOnce,
  submittedOf,
  type TailNeeds,
} from './submission.js';

const HASHING_SCHEME = 'HASHING_SCHEME_VERSION_V2';

const HASHING_DETAILS =
  'SHA-256(00000030 ‖ 02 ‖ SHA-256(00000030 ‖ transaction) ‖ SHA-256(00000030 ‖ metadata)), hashing scheme V2';

const prepared = z
  .object({
    preparedTransaction: z.string().describe('Base64. Send it unchanged with the signature.'),
    preparedTransactionHash: z.string().describe('Base64; its bytes are signed.'),
    hashingSchemeVersion: z.string(),
    hashingDetails: z.string().optional(),
  })
  .openapi('JsPrepareSubmissionResponse');

export type InteractiveNeeds = LedgerAccess &
  TailNeeds & {
    readonly salt: () => string;
  };

export const registerInteractive: Register<InteractiveNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/interactive-submission/prepare',
      operationId: 'postV2Interactive-submissionPrepare',
      summary: 'Prepare a command for a signature',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(prepareSchema),
      responses: {
        200: answer('The prepared transaction and the hash that the party signs.', prepared),
        ...ledgerProblems(400, 401, 403, 404),
      },
    }),
    (c) => printedJson(c, prepareCommand(server, callerOf(c), c.req.valid('json'))),
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/interactive-submission/executeAndWait',
      operationId: 'postV2Interactive-submissionExecuteandwait',
      summary: 'Submit a signed transaction and wait',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(executeSchema),
      responses: {
        200: answer('The update of the command.', submittedSchema),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => c.json(submittedOf(await executeSigned(server, callerOf(c), c.req.valid('json'))), 200),
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/interactive-submission/execute',
      operationId: 'postV2Interactive-submissionExecute',
      summary: 'Submit a signed transaction',
      description: 'Returns when the transaction has taken effect. Its update is in the completions.',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(executeSchema),
      responses: {
        200: answer('The transaction was accepted.', acceptedSchema),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      await executeSigned(server, callerOf(c), c.req.valid('json'));
      return c.json({}, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/interactive-submission/executeAndWaitForTransaction',
      operationId: 'postV2Interactive-submissionExecuteandwaitfortransaction',
      summary: 'Submit a signed transaction and return it',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(executeForTransactionSchema),
      responses: {
        200: answer('The transaction of the command.', transactionSchema),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const signers = body.partySignatures.signatures.map(({ party }) => party);
      const format = answerFormat(c, body.transactionFormat, signers);
      const update = await executeSigned(server, callerOf(c), body);
      return c.json({ transaction: submittedTransactionOf(update, format, server) }, 200);
    },
  );
};

/**
 * Returns the bytes of JSON. Base64 needs no escapes, and looking for some in it takes longer than encoding it; so does encoding a text
 * as UTF-8.
 */
function prepareCommand(
  server: InteractiveNeeds,
  caller: Caller,
  body: z.output<typeof prepareSchema>,
): Uint8Array<ArrayBuffer> {
  const acting = actingIn(body, caller, server);
  requirePrepareAs(rightsOf(caller), acting.actAs);
  const [party] = acting.actAs;
  if (party === undefined || acting.actAs.length > 1)
    throw new LedgerProblem('INVALID_ARGUMENT', `actAs: got ${acting.actAs.length} parties, expected one`);
  const now = server.host.now();
  const { command, uses, given } = commandIn(body, acting, server, server.state, now);
  const { commandId } = body;
  const made = prepareContent({ party, command, now, salt: server.salt(), commandId, uses }, server.state);
  if (!made.ok) throw ledgerProblemOf(made.error);
  const { transaction, hash } = messageOf({ given, prepared: made.value.prepared, update: made.value.update }, server);
  const others: Omit<z.output<typeof prepared>, 'preparedTransaction'> = {
    preparedTransactionHash: Buffer.from(hash, 'hex').toString('base64'),
    hashingSchemeVersion: HASHING_SCHEME,
    ...(body.verboseHashing ? { hashingDetails: HASHING_DETAILS } : {}),
  };
  const [before, after] = ['{"preparedTransaction":"', `",${JSON.stringify(others).slice(1)}`];
  const bytes = Buffer.allocUnsafe(before.length + transaction.length + Buffer.byteLength(after));
  bytes.write(before, 'latin1');
  bytes.write(transaction, before.length, 'latin1');
  bytes.write(after, before.length + transaction.length);
  return bytes;
}

async function executeSigned(
  server: LedgerAccess & TailNeeds,
  caller: Caller,
  body: z.output<typeof executeSchema>,
): Promise<Update> {
  requireOwnUser(caller, body.userId);
  requireSigners(caller, body);
  const read = readPreparedMessage(body.preparedTransaction, server.state);
  if (!read.ok) throw malformed(`prepared${capitalised(read.error.field)}`, read.error.value, read.error.expected);
  if (body.hashingSchemeVersion !== HASHING_SCHEME)
    throw malformed('hashingSchemeVersion', body.hashingSchemeVersion, HASHING_SCHEME);
  const { party, commandId } = read.value.prepared;
  requireExecuteAs(rightsOf(caller), [party]);
  const publicKey = requireKey(server, party);
  const signature = signatureOf(body, party);
  const command: Command = {
    type: 'SubmitPrepared',
    party,
    transaction: body.preparedTransaction,
    signature,
    publicKey,
  };
  const ids = {
    userId: caller.user,
    actAs: [party],
    // A transaction prepared by the validator's API has no command id: its hash serves once.
    commandId: commandId === '' ? body.submissionId : commandId,
    submissionId: body.submissionId,
    workflowId: '',
    deduplicateAfter: deduplicateAfter(body.deduplicationPeriod, server),
  };
  return submitOnce(server, ids, [], () => command);
}

/** Comes before the transaction is parsed, because parsing a large transaction takes long. */
function requireSigners(caller: Caller, { partySignatures }: z.output<typeof executeSchema>): void {
  const signers = partySignatures.signatures.map(({ party }) => party);
  if (signers.length === 0) throw malformed('partySignatures.signatures', '0 signatures', 'one of the acting party');
  requireExecuteAs(rightsOf(caller), signers);
}

function requireKey({ state }: LedgerAccess, party: PartyId): string {
  for (const { publicKey } of contractsByKey(state, 'ExternalPartyKey', party)) return publicKey;
  throw new LedgerProblem('INVALID_ARGUMENT', `${party} has no key: submit the commands of a local party directly`, {
    resources: [['PARTY', party]],
  });
}

function signatureOf({ partySignatures }: z.output<typeof executeSchema>, party: PartyId): string {
  const field = 'partySignatures.signatures';
  const own = partySignatures.signatures.find((each) => each.party === party);
  const stranger = partySignatures.signatures.find((each) => each.party !== party);
  if (stranger) throw malformed(`${field}.party`, stranger.party, party);
  const [first, ...more] = own?.signatures ?? [];
  if (!first || more.length > 0)
    throw malformed(field, `${own?.signatures.length ?? 0} signatures`, 'one of the party');
  const { format, signature, signedBy, signingAlgorithmSpec } = first;
  if (format !== 'SIGNATURE_FORMAT_CONCAT' && format !== 'SIGNATURE_FORMAT_RAW')
    throw malformed(`${field}.format`, format, 'SIGNATURE_FORMAT_CONCAT');
  if (signingAlgorithmSpec !== 'SIGNING_ALGORITHM_SPEC_ED25519')
    throw malformed(`${field}.signingAlgorithmSpec`, signingAlgorithmSpec, 'SIGNING_ALGORITHM_SPEC_ED25519');
  // An external party's namespace is the fingerprint of its key.
  const fingerprint = namespaceOf(party);
  if (signedBy !== fingerprint) throw malformed(`${field}.signedBy`, signedBy, fingerprint);
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length !== SIGNATURE_BYTES || bytes.toString('base64') !== signature)
    throw malformed(`${field}.signature`, signature.slice(0, 20), `${SIGNATURE_BYTES} bytes in Base64`);
  return bytes.toString('hex');
}

function capitalised(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

const SIGNATURE_BYTES = 64;

function malformed(field: string, value: string, expected: string): LedgerProblem {
  return new LedgerProblem('INVALID_ARGUMENT', `${field}: got ${value}, expected ${expected}`, {
    context: { field, value, expected },
  });
}
