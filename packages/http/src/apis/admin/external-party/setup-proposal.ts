import { contractsByKey } from '@coinlab/core/views';
import {
  contractsOf,
  ContractId,
  Instant,
  isKnownParty,
  rulesOf,
  type Command,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { newestUsableRound, preapprovalFee, preapprovalOf } from '@coinlab/core/rules';
import { PREAPPROVAL_DEFAULTS, treasuryOf } from '@coinlab/automation';
import type { ExternalPartySetupProposal } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../../request.js';
import { executeSigned, preparedFields, prepareFor, submissionSchema, type ExternalPartyNeeds } from './prepared.js';
import { Problem, problems } from '../../../problem.js';
import { answer, jsonBody, OPERATOR } from '../../../route-parts.js';
import { submitFrom } from '../../../gates/submit.js';
import { problemOf } from '../../../gates/status.js';
import { contractWithState, contractWithStateSchema } from '../../../wire/contract.js';
import { contractId, partyId } from '../../../wire/values.js';
import { updateIdText } from '../../../wire/update-id.js';

const PATH = '/v0/admin/external-party/setup-proposal';
const declared = { tags: ['external party'], security: OPERATOR };

export const registerSetupProposal: Register<ExternalPartyNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: PATH,
      operationId: 'createExternalPartySetupProposal',
      summary: 'Propose a wallet set-up to an external party',
      request: jsonBody(z.object({ user_party_id: partyId }).openapi('CreateExternalPartySetupProposalRequest')),
      responses: {
        200: answer(
          'The proposal. The validator has paid for the preapproval that it contains.',
          z.object({ contract_id: z.string() }).openapi('CreateExternalPartySetupProposalResponse'),
        ),
        ...problems(400, 401, 403, 404, 409, 429, 501, 503),
      },
    }),
    async (c) => {
      const { user_party_id: user } = c.req.valid('json');
      const { validator } = server;
      const { created } = await submitFrom(server, (state, now) => propose(state, now, validator, user), validator);
      const proposal = created.find(({ template }) => template === 'ExternalPartySetupProposal');
      if (!proposal) throw new Problem(500, 'a proposal creates a contract');
      return c.json({ contract_id: ContractId.format(proposal.id) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: PATH,
      operationId: 'listExternalPartySetupProposals',
      summary: "List the validator's set-up proposals",
      responses: {
        200: answer(
          'Pending set-up proposals of this validator.',
          z.object({ contracts: z.array(contractWithStateSchema) }).openapi('ListExternalPartySetupProposalsResponse'),
        ),
        ...problems(401, 403, 501),
      },
    }),
    (c) => {
      const own = [...contractsOf(server.state, 'ExternalPartySetupProposal', server.validator)];
      const contracts = own
        .filter(({ validator }) => validator === server.validator)
        .map((proposal) => contractWithState(proposal, server));
      return c.json({ contracts }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: `${PATH}/prepare-accept`,
      operationId: 'prepareAcceptExternalPartySetupProposal',
      summary: 'Prepare the acceptance of a set-up proposal',
      request: jsonBody(
        z
          .object({ contract_id: contractId, user_party_id: partyId, verbose_hashing: z.boolean().default(false) })
          .openapi('PrepareAcceptExternalPartySetupProposalRequest'),
      ),
      responses: {
        200: answer(
          'The prepared transaction and the hash that the party must sign.',
          z.object(preparedFields).openapi('PrepareAcceptExternalPartySetupProposalResponse'),
        ),
        ...problems(400, 401, 403, 404, 501),
      },
    }),
    (c) => {
      const { contract_id: id, user_party_id: user, verbose_hashing: isVerbose } = c.req.valid('json');
      const proposals = proposalsFor(server.state, user, server.validator);
      if (proposals.length === 0) throw new Problem(404, `no setup proposal for ${user}`);
      if (!proposals.some((proposal) => proposal.id === id))
        throw new Problem(400, `contract_id: the proposal for ${user} is another contract`);
      const command: Command = { type: 'AcceptExternalPartySetupProposal', proposal: id };
      return c.json(prepareFor(server, user, command, isVerbose), 200);
    },
  );

  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: `${PATH}/submit-accept`,
      operationId: 'submitAcceptExternalPartySetupProposal',
      summary: 'Submit the signed acceptance of a set-up proposal',
      request: jsonBody(
        z.object({ submission: submissionSchema }).openapi('SubmitAcceptExternalPartySetupProposalRequest'),
      ),
      responses: {
        200: answer(
          'The party has a wallet on this validator and a preapproval for one-step transfers.',
          z
            .object({ transfer_preapproval_contract_id: z.string(), update_id: z.string() })
            .openapi('SubmitAcceptExternalPartySetupProposalResponse'),
        ),
        ...problems(400, 401, 403, 404, 409, 429, 501, 503),
      },
    }),
    async (c) => {
      const { submission } = c.req.valid('json');
      const { created, updateId } = await executeSigned(server, submission, 'AcceptExternalPartySetupProposal');
      const preapproval = created.find(({ template }) => template === 'TransferPreapproval');
      if (!preapproval) throw new Problem(500, 'an accepted proposal creates a preapproval');
      const transfer_preapproval_contract_id = ContractId.format(preapproval.id);
      return c.json({ transfer_preapproval_contract_id, update_id: updateIdText(updateId) }, 200);
    },
  );
};

function propose(state: LedgerState, now: Instant, validator: PartyId, user: PartyId): Command {
  if (!isKnownParty(state, user)) throw new Problem(404, `no party ${user}`);
  const [proposal] = proposalsFor(state, user, validator);
  if (proposal) throw new Problem(409, `a setup proposal for ${user} exists: ${ContractId.format(proposal.id)}`);
  const preapproval = preapprovalOf(state, user, now);
  if (preapproval) throw new Problem(409, `a preapproval of ${user} exists: ${ContractId.format(preapproval.id)}`);
  const { lifetime } = PREAPPROVAL_DEFAULTS;
  const round = newestUsableRound(state, now);
  const rules = rulesOf(state);
  const fee =
    round && rules ? preapprovalFee(lifetime, rules.config.transferPreapprovalFeeUsd, round.amuletPrice) : null;
  const inputs = fee === 0n ? [] : treasuryOf(state, validator, now).inputs;
  // The ledger would only say that the inputs are missing, not how much coin.
  if (fee && inputs.length === 0) throw problemOf({ code: 'INSUFFICIENT_FUNDS', missing: fee });
  const preapprovalExpiresAt = Instant.plus(now, lifetime);
  return { type: 'CreateExternalPartySetupProposal', validator, user, preapprovalExpiresAt, inputs };
}

function proposalsFor(state: LedgerState, user: PartyId, of: PartyId): readonly ExternalPartySetupProposal[] {
  return [...contractsByKey(state, 'ExternalPartySetupProposal', `user:${user}`)].filter(
    ({ validator }) => validator === of,
  );
}
