import { randomUUID } from 'node:crypto';
import {
  ContractId,
  holdingsOf,
  type Command,
  type ContractOf,
  type PartyId,
  type TemplateName,
  type Update,
} from '@coinlab/core';
import { externalPartyOf } from '@coinlab/core/rules';
import { allOf } from '@coinlab/core/views';
import { updateIdOf } from '@coinlab/http';
import { keyOf, topologyOf, type Key } from '../core/external-keys.ts';
import { alice, bob, fund, walletServer, type Answered, type WalletServer } from './wallet-fixture.ts';

/*
 * A server whose users submit commands of the JSON Ledger API: alice and bob as local parties, dave with a key of his own.
 *
 *   const ledger = await ledgerServer();
 *   await ledger.tap('alice', '10');
 *   const { status, body } = await ledger.exercise('bob', instruction, 'TransferInstruction_Accept', argument, disclosed);
 */

export const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
export const MERGES = '#splice-util-token-standard-wallet:Splice.Util.Token.Wallet.MergeDelegation';
const INTERFACES = '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';
const FACTORY = `${INTERFACES}:TransferFactory`;
export const INSTRUCTION = `${INTERFACES}:TransferInstruction`;
export const PREAPPROVAL = '#splice-amulet:Splice.AmuletRules:TransferPreapproval';
export const PROPOSAL = '#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal';
export const PING = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping';

export type User = 'alice' | 'bob' | 'dave' | 'ledger-api-user';

export interface Disclosed {
  readonly contractId: string;
}

/** A choice with its argument and the contracts that it needs. */
export interface Exercise {
  readonly templateId: string;
  readonly contractId: string;
  readonly choice: string;
  readonly choiceArgument: object;
  readonly disclosedContracts?: readonly Disclosed[];
}

export type ExecuteVerb = 'execute' | 'executeAndWait' | 'executeAndWaitForTransaction';

export interface Create {
  readonly templateId: string;
  readonly createArguments: object;
}

type Body = Readonly<Record<string, unknown>>;

export class LedgerServer {
  readonly wallets: WalletServer;
  readonly dave: { readonly party: PartyId; readonly key: Key };

  constructor(wallets: WalletServer, dave: { readonly party: PartyId; readonly key: Key }) {
    this.wallets = wallets;
    this.dave = dave;
  }

  get server(): WalletServer['server'] {
    return this.wallets.server;
  }

  get dso(): PartyId {
    return this.one('LedgerSettings').dso;
  }

  partyOf(user: User): PartyId {
    return { alice, bob, dave: this.dave.party, 'ledger-api-user': this.server.validator }[user];
  }

  /** The newest active contract of a template. */
  one<Name extends Exclude<TemplateName, 'Holding'>>(template: Name): ContractOf<Name> {
    const newest = [...allOf(this.server.state, template)].at(-1);
    if (newest) return newest;
    throw new Error(`there is no ${template}`);
  }

  idOf(template: Exclude<TemplateName, 'Holding'>): string {
    return ContractId.format(this.one(template).id);
  }

  /** The newest round that is open now. */
  get round(): string {
    const open = [...allOf(this.server.state, 'OpenMiningRound')].filter(({ opensAt }) => opensAt <= this.server.now);
    return ContractId.format((open.at(-1) ?? this.one('OpenMiningRound')).id);
  }

  coins(user: User): string[] {
    return [...holdingsOf(this.server.state, this.partyOf(user), 'oldest')].map(({ id }) => ContractId.format(id));
  }

  disclosing(...contractIds: string[]): Disclosed[] {
    return contractIds.map((contractId) => ({ contractId }));
  }

  /** Executes a choice as the user's party: signed by a party with a key, else directly. */
  async exercise(user: User, { disclosedContracts = [], ...exercise }: Exercise, change: Body = {}): Promise<Answered> {
    return this.submit(user, { ExerciseCommand: exercise }, { disclosedContracts, ...change });
  }

  async create(user: User, create: Create, change: Body = {}): Promise<Answered> {
    return this.submit(user, { CreateCommand: create }, change);
  }

  async submit(user: User, command: object, change: Body = {}): Promise<Answered> {
    const body = { commands: [command], commandId: randomUUID(), actAs: [this.partyOf(user)], ...change };
    if (user !== 'dave') return this.wallets.post(user, '/v2/commands/submit-and-wait', body);
    const prepared = await this.wallets.post(user, '/v2/interactive-submission/prepare', body);
    return prepared.status === 200 ? this.execute(user, prepared.body) : prepared;
  }

  async execute(
    user: User,
    { preparedTransaction, preparedTransactionHash }: Body,
    change: Body = {},
    verb: ExecuteVerb = 'executeAndWait',
  ): Promise<Answered> {
    const { party, key } = this.dave;
    const hash = Buffer.from(String(preparedTransactionHash), 'base64').toString('hex');
    return this.wallets.post(user, `/v2/interactive-submission/${verb}`, {
      preparedTransaction,
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
      submissionId: randomUUID(),
      deduplicationPeriod: { Empty: {} },
      partySignatures: { signatures: [this.signatureOf(party, key.sign(hash))] },
      ...change,
    });
  }

  signatureOf(party: PartyId, hex: string): object {
    const signature = {
      signature: Buffer.from(hex, 'hex').toString('base64'),
      signedBy: party.split('::')[1],
      format: 'SIGNATURE_FORMAT_CONCAT',
      signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
    };
    return { party, signatures: [signature] };
  }

  updateOf({ status, body }: Answered): Update {
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { history } = this.server;
    const update = history.updateAt(body.completionOffset);
    if (update.updateId !== updateIdOf(body.updateId)) throw new Error('the answer names another update');
    return update;
  }

  tapOf(user: User, amount: string | number): Exercise {
    return {
      templateId: RULES,
      contractId: this.idOf('AmuletRules'),
      choice: 'AmuletRules_DevNet_Tap',
      choiceArgument: { receiver: this.partyOf(user), amount, openRound: this.round },
      disclosedContracts: this.disclosing(this.idOf('AmuletRules'), this.round),
    };
  }

  async tap(user: User, amount: string): Promise<void> {
    this.updateOf(await this.exercise(user, this.tapOf(user, amount)));
  }

  /** The transfer choice with the unchanged context of the registry. */
  async transferOf(from: User, to: User, amount: string | number, change: Body = {}): Promise<Exercise> {
    const { dso, server } = this;
    const argument = {
      expectedAdmin: dso,
      transfer: {
        sender: this.partyOf(from),
        receiver: this.partyOf(to),
        amount,
        instrumentId: { admin: dso, id: 'Amulet' },
        requestedAt: iso(server.now - 60_000_000n),
        executeBefore: iso(server.now + 86_400_000_000n),
        inputHoldingCids: this.coins(from),
        meta: { values: {} },
        ...change,
      },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    };
    const path = '/registry/transfer-instruction/v1/transfer-factory';
    const { status, body } = await this.wallets.post(null, path, { choiceArguments: argument });
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { choiceContextData, disclosedContracts } = body.choiceContext;
    return {
      templateId: FACTORY,
      contractId: body.factoryId,
      choice: 'TransferFactory_Transfer',
      choiceArgument: { ...argument, extraArgs: { context: choiceContextData, meta: { values: {} } } },
      disclosedContracts,
    };
  }

  /** A step of the newest transfer instruction, with the unchanged context of the registry. */
  async stepOf(step: 'Accept' | 'Reject' | 'Withdraw'): Promise<Exercise> {
    const contractId = this.idOf('TransferInstruction');
    const path = `/registry/transfer-instruction/v1/${contractId}/choice-contexts/${step.toLowerCase()}`;
    const { status, body } = await this.wallets.post(null, path, { meta: {} });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return {
      templateId: INSTRUCTION,
      contractId,
      choice: `TransferInstruction_${step}`,
      choiceArgument: { extraArgs: { context: body.choiceContextData, meta: { values: {} } } },
      disclosedContracts: body.disclosedContracts,
    };
  }

  /** The context of a choice that pays through the rules contract. */
  get payment(): { readonly context: object; readonly disclosed: readonly Disclosed[] } {
    const rules = this.idOf('AmuletRules');
    const context = {
      openMiningRound: this.round,
      issuingMiningRounds: [],
      validatorRights: [],
      featuredAppRight: null,
    };
    return { context: { amuletRules: rules, context }, disclosed: this.disclosing(rules, this.round) };
  }

  inputs(user: User): object[] {
    return this.coins(user).map((value) => ({ tag: 'InputAmulet', value }));
  }

  async fund(user: 'alice' | 'bob' | 'ledger-api-user', amount: string): Promise<void> {
    await fund(this.wallets, this.partyOf(user), amount);
  }
}

/** A server with two local users and one with a key. */
export async function ledgerServer(
  wallets: WalletServer | Promise<WalletServer> = walletServer({
    automation: { preapprovals: false, mergeDelegations: false, rewards: false },
  }),
): Promise<LedgerServer> {
  return withSigner(await wallets);
}

async function withSigner(wallets: WalletServer): Promise<LedgerServer> {
  const { server, submit } = wallets;
  const key = keyOf('dave');
  const party = externalPartyOf('dave', key.publicKey);
  if (!party.ok) throw new Error(party.error.expected);
  // The wallet comes before the key: from then on only a signature acts for the party.
  const onboard: Command = {
    type: 'OnboardUser',
    validator: server.validator,
    endUserName: 'dave',
    endUser: party.value,
  };
  await submit(onboard, server.validator, party.value);
  await submit(topologyOf('dave', key));
  return new LedgerServer(wallets, { party: party.value, key });
}

export function iso(micros: bigint): string {
  return new Date(Number(micros / 1000n)).toISOString();
}
