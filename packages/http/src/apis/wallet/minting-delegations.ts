import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { ContractId, contractsOf, find, type Command, type LedgerState, type PartyId } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import type { MintingDelegation, MintingDelegationProposal } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, emptyBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { createdIn } from './requests.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import { cidText, contractIdOrNull } from '../../wire/values.js';

const MOST_LISTED = 1000;
const PROPOSALS = '/v0/wallet/minting-delegation-proposals';
const DELEGATIONS = '/v0/wallet/minting-delegations';

const declared = { tags: ['wallet'], security: WALLET };
const page = z.object({
  after: z.coerce.number().int().min(0).default(0).openapi({ type: 'integer', format: 'int64' }),
  limit: z.coerce.number().int().min(1).default(MOST_LISTED).openapi({ type: 'integer', format: 'int32' }),
});
const inPath = z.object({ contract_id: z.string() });
const withStatus = { contract: contractSchema, beneficiary_hosted: z.boolean() };
const proposal = z.object(withStatus).openapi('MintingDelegationProposalWithStatus');
const delegation = z.object(withStatus).openapi('MintingDelegationWithStatus');
const next = { next_page_token: z.int().optional() };

const ANSWERS = [
  {
    path: PROPOSALS,
    verb: 'accept',
    operationId: 'acceptMintingDelegationProposal',
    summary: 'Accept a minting delegation',
    template: 'MintingDelegationProposal',
    response: answer(
      'The new delegation. It replaces an older delegation between the same two parties.',
      z.object({ contract_id: cidText }).openapi('AcceptMintingDelegationProposalResponse'),
    ),
  },
  {
    path: PROPOSALS,
    verb: 'reject',
    operationId: 'rejectMintingDelegationProposal',
    summary: 'Reject a minting delegation proposal',
    template: 'MintingDelegationProposal',
    response: answer('The contract is archived.', emptyBody),
  },
  {
    path: DELEGATIONS,
    verb: 'reject',
    operationId: 'rejectMintingDelegation',
    summary: 'End a minting delegation',
    template: 'MintingDelegation',
    response: answer('The contract is archived.', emptyBody),
  },
] as const;

type Delegated = MintingDelegation | MintingDelegationProposal;

export const registerMintingDelegations: Register<LedgerAccess & ValidatorIdentity> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: PROPOSALS,
      operationId: 'listMintingDelegationProposals',
      summary: 'List proposals of minting delegations',
      ...declared,
      request: { query: page },
      responses: {
        200: answer(
          'The proposals, oldest first.',
          z.object({ proposals: z.array(proposal), ...next }).openapi('ListMintingDelegationProposalsResponse'),
        ),
        ...problems(400, 401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const { shown, token } = pageOf(server, party, 'MintingDelegationProposal', c.req.valid('query'));
      return c.json({ proposals: shown, ...token }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: DELEGATIONS,
      operationId: 'listMintingDelegations',
      summary: 'List minting delegations',
      ...declared,
      request: { query: page },
      responses: {
        200: answer(
          'The delegations, oldest first.',
          z.object({ delegations: z.array(delegation), ...next }).openapi('ListMintingDelegationsResponse'),
        ),
        ...problems(400, 401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const { shown, token } = pageOf(server, party, 'MintingDelegation', c.req.valid('query'));
      return c.json({ delegations: shown, ...token }, 200);
    },
  );

  for (const { path, verb, operationId, summary, template, response } of ANSWERS)
    api.openapi(
      createRoute({
        method: 'post',
        path: `${path}/{contract_id}/${verb}`,
        operationId,
        summary,
        ...declared,
        request: { params: inPath },
        responses: { 200: response, ...problems(401, 404, 409, 429, 503) },
      }),
      async (c) => {
        const { party } = walletOf(c);
        const delegated = seenBy(server, party, template, c.req.valid('param').contract_id);
        const update = await submit(server, commandFor(verb, delegated, server.state), party);
        const answered =
          verb === 'accept' ? { contract_id: ContractId.format(createdIn(update, 'MintingDelegation')) } : {};
        return c.json(answered, 200);
      },
    );
};

function pageOf(
  server: LedgerAccess & ValidatorIdentity,
  delegate: PartyId,
  template: Delegated['template'],
  { after, limit }: z.infer<typeof page>,
): { shown: z.infer<typeof delegation>[]; token: { next_page_token?: number } } {
  const state = server.state;
  const mine = [...contractsOf(state, template, delegate)].filter(
    (contract) => contract.delegate === delegate && contract.id > after,
  );
  const listed = mine.slice(0, Math.min(limit, MOST_LISTED));
  const last = listed.at(-1)?.id;
  return {
    shown: listed.map((contract) => ({
      contract: contractOf(contract, server),
      beneficiary_hosted: isHosted(state, contract.beneficiary, server.validator),
    })),
    token: listed.length < mine.length && last !== undefined ? { next_page_token: last } : {},
  };
}

function seenBy(server: LedgerAccess, delegate: PartyId, template: Delegated['template'], text: string): Delegated {
  const id = contractIdOrNull(text);
  const found = id === null ? null : find(server.state, template, id);
  if (!found || found.delegate !== delegate) throw new Problem(404, `no ${template} ${text} is in this wallet`);
  return found;
}

function commandFor(
  verb: 'accept' | 'reject',
  { template, id, beneficiary, delegate }: Delegated,
  state: LedgerState,
): Command {
  if (verb === 'reject')
    return template === 'MintingDelegation'
      ? { type: 'RejectMintingDelegation', delegation: id }
      : { type: 'RejectMintingDelegationProposal', proposal: id };
  for (const existing of contractsByKey(state, 'MintingDelegation', `delegation:${beneficiary}:${delegate}`))
    return { type: 'AcceptMintingDelegation', proposal: id, existing: existing.id };
  return { type: 'AcceptMintingDelegation', proposal: id };
}

function isHosted(state: LedgerState, party: PartyId, validator: PartyId): boolean {
  if (party === validator) return true;
  for (const _ of contractsByKey(state, 'ValidatorRight', `right:${party}:${validator}`)) return true;
  for (const install of contractsByKey(state, 'WalletAppInstall', `endUser:${party}`))
    if (install.validator === validator) return true;
  return false;
}
