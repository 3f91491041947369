import { SignJWT } from 'jose';

/*
 * A user of the Wallet Gateway: two wallets, one with a key in the gateway and one of a party that the participant hosts, a tap, and a
 * transfer from one to the other. Each step is a request of the gateway's own page (user API) or of a dApp (dApp API).
 */

type Fields = Readonly<Record<string, unknown>>;
type Contract = { readonly contract_id: string; readonly template_id: string; readonly created_event_blob: string };

interface Addresses {
  readonly gateway: string;
  /** The validator's API of `coinlab serve --localnet`. */
  readonly validator: string;
  readonly registry: string;
}

const NETWORK = 'canton:coinlab';
export const USER = 'ledger-api-user';
const AUDIENCE = 'https://canton.network.global';
const ISSUER = 'unsafe-auth';
const SECRET = 'unsafe';

const TRANSFERS = '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';
const INSTRUCTION = `${TRANSFERS}:TransferInstruction`;
const NO_META = { values: {} };

/** Plays the story; calls `done` after each request of the gateway. Throws at the first that fails. */
export async function playGateway(at: Addresses, done: (step: string) => void): Promise<void> {
  const gateway = new Gateway(at, await tokenOfUser(), done);
  await gateway.user('addSession', { networkId: NETWORK });
  const own = await gateway.wallet('wallet-kernel', 'signer', true);
  const local = await gateway.wallet('participant', 'local', false);
  for (const read of ['connect', 'status', 'getActiveNetwork', 'listAccounts']) await gateway.dapp(read);
  await gateway.execute(own, await tapOf(own, gateway));
  const [coin] = await gateway.contracts(own, {
    TemplateFilter: { value: { templateId: '#splice-amulet:Splice.Amulet:Amulet' } },
  });
  await gateway.execute(own, await transferOf(own, local, coin ?? '', gateway));
  await gateway.user('setPrimaryWallet', { partyId: local });
  const [offer] = await gateway.contracts(local, { InterfaceFilter: { value: { interfaceId: INSTRUCTION } } });
  await gateway.execute(local, await acceptOf(offer ?? '', gateway));
  for (const read of ['listTransactions', 'syncWallets', 'listWallets']) await gateway.user(read, { filter: {} });
}

interface Submission {
  readonly commands: readonly object[];
  readonly disclosedContracts: unknown;
}

class Gateway {
  readonly #at: Addresses;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #done: (step: string) => void;

  constructor(at: Addresses, token: string, done: (step: string) => void) {
    this.#at = at;
    this.#headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    this.#done = done;
  }

  user(method: string, params?: object): Promise<Fields> {
    return this.#call('user', method, params);
  }

  dapp(method: string, params?: object): Promise<Fields> {
    return this.#call('dapp', method, params);
  }

  async wallet(signingProviderId: string, hint: string, primary: boolean): Promise<string> {
    const partyHint = `${hint}-${Date.now()}`;
    const { wallet } = await this.user('createWallet', { signingProviderId, primary, partyHint });
    return String((wallet as Fields)['partyId']);
  }

  /** A dApp prepares a command, and the user signs and executes it. */
  async execute(partyId: string, submission: Submission): Promise<void> {
    const { userUrl } = await this.dapp('prepareExecute', { ...submission, actAs: [partyId] });
    const transactionId = new URL(String(userUrl)).searchParams.get('transactionId');
    const { signature, signedBy } = await this.user('sign', { transactionId, partyId });
    await this.user('execute', { transactionId, partyId, signature, signedBy });
    const { status } = await this.user('getTransaction', { transactionId });
    if (status !== 'executed') throw new Error(`the transaction is ${String(status)}`);
  }

  /** Returns the ids of a party's active contracts, as a dApp reads them. */
  async contracts(party: string, identifierFilter: object): Promise<readonly string[]> {
    const ledger = (params: object): Promise<Fields> => this.dapp('ledgerApi', params);
    const { offset } = await ledger({ requestMethod: 'get', resource: '/v2/state/ledger-end' });
    const filter = { filtersByParty: { [party]: { cumulative: [{ identifierFilter }] } } };
    const body = { activeAtOffset: offset, verbose: false, filter };
    const found = await ledger({ requestMethod: 'post', resource: '/v2/state/active-contracts', body });
    // Cast: the answer is a list of active contracts.
    const list = found as unknown as {
      contractEntry: { JsActiveContract: { createdEvent: { contractId: string } } };
    }[];
    return list.map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent.contractId);
  }

  async scan(path: string): Promise<Fields> {
    return this.#json(`${this.#at.validator}/v0/scan-proxy/${path}`, 'GET');
  }

  async registry(path: string, body?: object): Promise<Fields> {
    return this.#json(`${this.#at.registry}/registry/${path}`, body ? 'POST' : 'GET', body);
  }

  async #call(api: 'user' | 'dapp', method: string, params?: object): Promise<Fields> {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const { error, result } = await this.#json(`${this.#at.gateway}/api/v0/${api}`, 'POST', body);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    this.#done(method);
    return (result ?? {}) as Fields;
  }

  async #json(url: string, method: string, body?: object): Promise<Fields> {
    const answer = await fetch(url, { method, headers: this.#headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
    // Cast: all answers here are objects.
    return JSON.parse(text) as Fields;
  }
}

async function tapOf(receiver: string, gateway: Gateway): Promise<Submission> {
  const { amulet_rules: ruled } = await gateway.scan('amulet-rules');
  const { open_mining_rounds: rounds } = await gateway.scan('open-and-issuing-mining-rounds');
  // Casts: as scan declares them.
  const rules = (ruled as { contract: Contract }).contract;
  const [round] = (rounds as { contract: Contract }[]).map(({ contract }) => contract);
  const choiceArgument = { receiver, amount: '100.0', openRound: round?.contract_id };
  const { template_id: templateId, contract_id: contractId } = rules;
  return {
    commands: [{ ExerciseCommand: { templateId, contractId, choice: 'AmuletRules_DevNet_Tap', choiceArgument } }],
    disclosedContracts: [rules, round].map((contract) => ({
      contractId: contract?.contract_id,
      templateId: contract?.template_id,
      createdEventBlob: contract?.created_event_blob,
      synchronizerId: '',
    })),
  };
}

async function transferOf(sender: string, receiver: string, coin: string, gateway: Gateway): Promise<Submission> {
  const { adminId } = await gateway.registry('metadata/v1/info');
  const wish = {
    expectedAdmin: adminId,
    transfer: {
      sender,
      receiver,
      amount: '10.0',
      instrumentId: { admin: adminId, id: 'Amulet' },
      requestedAt: new Date().toISOString(),
      executeBefore: new Date(Date.now() + 3_600_000).toISOString(),
      inputHoldingCids: [coin],
      meta: NO_META,
    },
    extraArgs: { context: { values: {} }, meta: NO_META },
  };
  const found = await gateway.registry('transfer-instruction/v1/transfer-factory', { choiceArguments: wish });
  const { choiceContextData: context, disclosedContracts } = found['choiceContext'] as Fields;
  const choiceArgument = { ...wish, extraArgs: { context, meta: NO_META } };
  const choice = { choice: 'TransferFactory_Transfer', choiceArgument };
  const exercise = { templateId: `${TRANSFERS}:TransferFactory`, contractId: found['factoryId'], ...choice };
  return { commands: [{ ExerciseCommand: exercise }], disclosedContracts };
}

async function acceptOf(contractId: string, gateway: Gateway): Promise<Submission> {
  const path = `transfer-instruction/v1/${contractId}/choice-contexts/accept`;
  const { choiceContextData: context, disclosedContracts } = await gateway.registry(path, {});
  const choiceArgument = { extraArgs: { context, meta: NO_META } };
  const exercise = { templateId: INSTRUCTION, contractId, choice: 'TransferInstruction_Accept', choiceArgument };
  return { commands: [{ ExerciseCommand: exercise }], disclosedContracts };
}

function tokenOfUser(): Promise<string> {
  return new SignJWT({ scope: 'daml_ledger_api' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setSubject(USER)
    .setAudience(AUDIENCE)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));
}
