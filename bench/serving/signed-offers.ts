import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { ask, type Serving } from './program.js';

/*
 * Offers of a party that signs with its own key, and offers of a wallet of the server. Every offer spends one coin and leaves change.
 */

type Body = Readonly<Record<string, unknown>>;
type Contract = { readonly contract_id: string };

/** Microseconds of the server's processor for one offer. */
export interface OfferCosts {
  readonly wallet: number;
  /** For an offer that is prepared, signed and executed. */
  readonly signed: number;
}

const OPERATOR = 'ledger-api-user';
const FACTORY = '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory';
const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const COIN = '#splice-amulet:Splice.Amulet:Amulet';
const REGISTRY = '/registry/transfer-instruction/v1/transfer-factory';
const KEY = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${'07'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});

/** Number of offers of one kind before the other kind is measured. Asking for the processor time costs the server time, too. */
const BLOCK = 20;

/** Makes offers on a server with the development users. The client prepares requests and signs in its own process. */
export class SignedOffers {
  readonly #server: Serving;
  readonly #party: string;
  readonly #bob: string;
  #count = 0;

  private constructor(server: Serving, party: string, bob: string) {
    this.#server = server;
    this.#party = party;
    this.#bob = bob;
  }

  static async on(server: Serving): Promise<SignedOffers> {
    const { party_id: bob } = await request(server, 'bob', 'GET', '/v0/wallet/user-status');
    return new SignedOffers(server, await allocate(server), String(bob));
  }

  /** Makes `count` offers of each kind. The coins and contexts are fetched in advance and not measured. */
  async measure(count: number): Promise<OfferCosts> {
    for (let i = 0; i < count; i++) {
      await request(this.#server, 'alice', 'POST', '/v0/wallet/tap', { amount: '2' });
      await this.#execute(await this.#prepare(await this.#tap()));
    }
    const coins = await this.#coins();
    const submissions: object[] = [];
    for (const coin of coins.slice(-count)) submissions.push(await this.#transfer(coin));
    const offers: string[] = [];
    let [wallet, signed] = [0, 0];
    // Both kinds alternate, so that a change of the machine's speed affects both.
    for (let from = 0; from < submissions.length; from += BLOCK) {
      const block = submissions.slice(from, from + BLOCK);
      wallet += await this.#costOf(block, async () => void offers.push(await this.#walletOffer()));
      signed += await this.#costOf(block, async (each) => this.#execute(await this.#prepare(each)));
    }
    // Otherwise the wallet has more coins in each round.
    for (const id of offers)
      await request(this.#server, 'alice', 'POST', `/v0/wallet/token-standard/transfers/${id}/withdraw`, {});
    return { wallet: wallet / submissions.length, signed: signed / submissions.length };
  }

  async #costOf(submissions: readonly object[], offer: (submission: object) => Promise<void>): Promise<number> {
    const before = await cpuMicros(this.#server);
    for (const submission of submissions) await offer(submission);
    return (await cpuMicros(this.#server)) - before;
  }

  async #walletOffer(): Promise<string> {
    const answer = await request(this.#server, 'alice', 'POST', '/v0/wallet/token-standard/transfers', {
      receiver_party_id: this.#bob,
      amount: '1',
      description: '',
      expires_at: Date.now() * 1000,
      tracking_id: `offer-${this.#count++}`,
    });
    return String((answer['output'] as Body)['transfer_instruction_cid']);
  }

  async #prepare(submission: object): Promise<Body> {
    const body = { commandId: randomUUID(), actAs: [this.#party], ...submission };
    return request(this.#server, OPERATOR, 'POST', '/v2/interactive-submission/prepare', body);
  }

  async #execute({ preparedTransaction, preparedTransactionHash }: Body): Promise<void> {
    const [, fingerprint = ''] = this.#party.split('::');
    const own = signatureOf(String(preparedTransactionHash), fingerprint);
    await request(this.#server, OPERATOR, 'POST', '/v2/interactive-submission/executeAndWait', {
      preparedTransaction,
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
      submissionId: randomUUID(),
      deduplicationPeriod: { Empty: {} },
      partySignatures: { signatures: [{ party: this.#party, signatures: [own] }] },
    });
  }

  async #tap(): Promise<object> {
    const proxy = '/v0/scan-proxy';
    const rules = await request(this.#server, OPERATOR, 'GET', `${proxy}/amulet-rules`);
    const rounds = await request(this.#server, OPERATOR, 'GET', `${proxy}/open-and-issuing-mining-rounds`);
    const { contract_id: contractId } = (rules['amulet_rules'] as { contract: Contract }).contract;
    const [round] = rounds['open_mining_rounds'] as { contract: Contract }[];
    const openRound = round?.contract.contract_id ?? '';
    const choiceArgument = { receiver: this.#party, amount: '2.0', openRound };
    return {
      commands: [
        { ExerciseCommand: { templateId: RULES, contractId, choice: 'AmuletRules_DevNet_Tap', choiceArgument } },
      ],
      disclosedContracts: [{ contractId }, { contractId: openRound }],
    };
  }

  async #coins(): Promise<readonly string[]> {
    const coins = await holdingsRequest(this.#server, OPERATOR, this.#party);
    // Cast: the answer is a list of contracts.
    const list = JSON.parse(await coins()) as {
      contractEntry: { JsActiveContract: { createdEvent: { contractId: string } } };
    }[];
    return list.map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent.contractId);
  }

  /** Returns the submission of an offer with the context from the registry. */
  async #transfer(coin: string): Promise<object> {
    const { adminId } = await request(this.#server, OPERATOR, 'GET', '/registry/metadata/v1/info');
    const wish = {
      expectedAdmin: adminId,
      transfer: {
        sender: this.#party,
        receiver: this.#bob,
        amount: '1.0',
        instrumentId: { admin: adminId, id: 'Amulet' },
        requestedAt: new Date(0).toISOString(),
        executeBefore: new Date().toISOString(),
        inputHoldingCids: [coin],
        meta: { values: {} },
      },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    };
    const context = await request(this.#server, OPERATOR, 'POST', REGISTRY, { choiceArguments: wish });
    const { choiceContextData, disclosedContracts } = context['choiceContext'] as Body;
    const exercise = {
      templateId: FACTORY,
      contractId: context['factoryId'],
      choice: 'TransferFactory_Transfer',
      choiceArgument: { ...wish, extraArgs: { context: choiceContextData, meta: { values: {} } } },
    };
    return { commands: [{ ExerciseCommand: exercise }], disclosedContracts };
  }
}

/** Returns a function that requests the current unlocked coins of a party and returns the text of the response. */
export async function holdingsRequest(
  server: Serving,
  user: string,
  party: string,
  url: string = `${server.url}/v2/state/active-contracts`,
): Promise<() => Promise<string>> {
  const { offset } = await request(server, user, 'GET', '/v2/state/ledger-end');
  const filter = { identifierFilter: { TemplateFilter: { value: { templateId: COIN } } } };
  const eventFormat = { filtersByParty: { [party]: { cumulative: [filter] } } };
  const body = JSON.stringify({ activeAtOffset: offset, eventFormat });
  const headers = { authorization: `Bearer ${server.tokens.get(user) ?? ''}`, 'content-type': 'application/json' };
  return async () => {
    const answer = await fetch(url, { method: 'POST', headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };
}

/** Returns the processor time of a server in microseconds, as the server reports it. */
export async function cpuMicros(server: Serving): Promise<number> {
  const { user, system } = await ask<NodeJS.CpuUsage>(server, 'cpu');
  return user + system;
}

async function allocate(server: Serving): Promise<string> {
  const { x = '' } = KEY.export({ format: 'jwk' });
  const synchronizers = await request(server, OPERATOR, 'GET', '/v2/state/connected-synchronizers');
  const [connected] = synchronizers['connectedSynchronizers'] as { synchronizerId: string }[];
  const synchronizer = connected?.synchronizerId;
  const publicKey = {
    format: 'CRYPTO_KEY_FORMAT_RAW',
    keyData: Buffer.from(x, 'base64url').toString('base64'),
    keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
  };
  const asked = { synchronizer, partyHint: 'signer', publicKey };
  const topology = await request(server, OPERATOR, 'POST', '/v2/parties/external/generate-topology', asked);
  await request(server, OPERATOR, 'POST', '/v2/parties/external/allocate', {
    synchronizer,
    onboardingTransactions: (topology['topologyTransactions'] as string[]).map((transaction) => ({ transaction })),
    multiHashSignatures: [signatureOf(String(topology['multiHash']), String(topology['publicKeyFingerprint']))],
  });
  const party = String(topology['partyId']);
  const rights = [{ kind: { CanActAs: { value: { party } } } }];
  await request(server, OPERATOR, 'POST', `/v2/users/${OPERATOR}/rights`, { userId: OPERATOR, rights });
  return party;
}

function signatureOf(hash: string, signedBy: string): object {
  return {
    signature: sign(null, Buffer.from(hash, 'base64'), KEY).toString('base64'),
    signedBy,
    format: 'SIGNATURE_FORMAT_CONCAT',
    signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
  };
}

/** Sends a request as a user of a development server. Throws unless it succeeds. */
export async function request(
  server: Serving,
  user: string,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const headers = { authorization: `Bearer ${server.tokens.get(user) ?? ''}`, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(server.url + path, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  // Cast: the answers here are objects.
  return JSON.parse(text) as Body;
}
