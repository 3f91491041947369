import { z } from '@hono/zod-openapi';
import { ledgerTransactionSchema } from '../../wire/ledger/transaction.js';
import { transactionFormatSchema } from './transaction-format.js';

/*
 * Bodies of submissions. The values of a command are read with the types of its choice, so that an error names their path.
 * Source: specification of the API §8.3, annex D.
 */

const names = z.array(z.string()).nullish();

/** A number, or a text as in protobuf's JSON. */
const number = z.union([z.number().int(), z.string().regex(/^-?\d{1,15}$/)]).transform(Number);

const deduplicationPeriod = z
  .union([
    z.strictObject({ Empty: z.looseObject({}) }),
    z.strictObject({
      DeduplicationDuration: z.object({ value: z.object({ seconds: number, nanos: number.optional() }) }),
    }),
    z.strictObject({ DeduplicationOffset: z.object({ value: number }) }),
  ])
  .openapi('DeduplicationPeriod');

export type DeduplicationPeriod = z.output<typeof deduplicationPeriod>;

const command = z
  .record(z.string(), z.unknown())
  .openapi('Command', { description: 'One of CreateCommand and ExerciseCommand, under its name.' });

const disclosedContract = z
  .object({
    contractId: z.string().nullish(),
    templateId: z.string().nullish(),
    createdEventBlob: z.string().nullish(),
    synchronizerId: z.string().nullish(),
  })
  .openapi('LedgerDisclosedContract');

const submitted = {
  commands: z.array(command).describe('Exactly one command.'),
  commandId: z.string().min(1).describe('With user and acting parties it identifies the command for de-duplication.'),
  userId: z.string().nullish().describe('Must be the user of the token.'),
  actAs: z.array(z.string()).min(1),
  readAs: names,
  disclosedContracts: z
    .array(disclosedContract)
    .nullish()
    .describe('Contracts that the submitter cannot see, from the registry or scan.'),
  synchronizerId: z.string().nullish(),
  packageIdSelectionPreference: names,
};

export const commandsSchema = z
  .object({
    ...submitted,
    workflowId: z.string().nullish(),
    submissionId: z.string().nullish(),
    deduplicationPeriod: deduplicationPeriod.nullish(),
  })
  .openapi('JsCommands');

export const prepareSchema = z
  .object({ ...submitted, verboseHashing: z.boolean().nullish() })
  .openapi('JsPrepareSubmissionRequest');

const signature = z
  .object({
    format: z.string(),
    signature: z.string().describe('64 bytes in Base64.'),
    signedBy: z.string().describe("Fingerprint of the party's key."),
    signingAlgorithmSpec: z.string(),
  })
  .openapi('LedgerSignature');

export const executeSchema = z
  .object({
    preparedTransaction: z.string().describe('The prepared transaction, unchanged.'),
    partySignatures: z
      .object({ signatures: z.array(z.object({ party: z.string(), signatures: z.array(signature) })) })
      .openapi('PartySignatures'),
    submissionId: z.string(),
    userId: z.string().nullish().describe('Must be the user of the token.'),
    hashingSchemeVersion: z.string(),
    deduplicationPeriod: deduplicationPeriod.nullish(),
  })
  .openapi('JsExecuteSubmissionRequest');

export const submittedSchema = z
  .object({ updateId: z.string(), completionOffset: z.int() })
  .openapi('SubmitAndWaitResponse');

export const acceptedSchema = z.object({}).openapi('SubmitResponse');

const transactionFormat = transactionFormatSchema.nullish().describe('Default: all events of the acting parties.');

export const commandsForTransactionSchema = z
  .object({ commands: commandsSchema, transactionFormat })
  .openapi('JsSubmitAndWaitForTransactionRequest');

export const executeForTransactionSchema = executeSchema
  .extend({ transactionFormat })
  .openapi('JsExecuteSubmissionAndWaitForTransactionRequest');

export const transactionSchema = z
  .object({ transaction: ledgerTransactionSchema })
  .openapi('JsSubmitAndWaitForTransactionResponse');
