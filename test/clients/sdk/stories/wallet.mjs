import assert from 'node:assert/strict';
import { SDK } from 'wallet-sdk-1';

export const OPERATOR = 'ledger-api-user';

const authOf = (user) => ({
  method: 'self_signed',
  issuer: 'unsafe-auth',
  credentials: { clientId: user, clientSecret: 'unsafe', audience: 'https://canton.network.global', scope: '' },
});

const registryOf = (url) => new URL(`${url}/api/validator/v0/scan-proxy`);

/** Connects as a user; default: the operator, as on LocalNet. */
export function connect(url, user = OPERATOR) {
  const auth = authOf(user);
  const validatorUrl = new URL(`${url}/api/validator`);
  return SDK.create({
    auth,
    ledgerClientUrl: new URL(url),
    token: { validatorUrl, registries: [registryOf(url)], auth },
    amulet: { validatorUrl, scanApiUrl: new URL(`${url}/api/scan`), auth, registryUrl: registryOf(url) },
    events: { websocketURL: new URL(url.replace('http', 'ws')), auth },
    logAdapter: SILENT,
  });
}

const SILENT = { log() {} };

/** An external party with its key, and actions of its wallet. */
export class Wallet {
  static async create(sdk, url, hint) {
    const keys = sdk.keys.generate();
    const party = await sdk.party.external.create(keys.publicKey, { partyHint: hint }).sign(keys.privateKey).execute();
    return new Wallet(sdk, url, keys, party.partyId);
  }

  constructor(sdk, url, keys, partyId) {
    Object.assign(this, { sdk, url, keys, partyId });
  }

  /** Prepares, signs and executes commands. */
  execute([commands, disclosedContracts = []], { privateKey } = this.keys) {
    const { partyId } = this;
    return this.sdk.ledger.prepare({ partyId, commands, disclosedContracts }).sign(privateKey).execute({ partyId });
  }

  async tap(amount) {
    return this.execute(await this.sdk.amulet.tap(this.partyId, amount));
  }

  /** Sends coin, by an offer unless the recipient has a preapproval. */
  async send(recipient, amount, options = {}) {
    return this.execute(await this.transfer(recipient, amount, options));
  }

  transfer(recipient, amount, options = {}) {
    return this.sdk.token.transfer.create({
      sender: this.partyId,
      recipient: recipient.partyId,
      instrumentId: 'Amulet',
      registryUrl: registryOf(this.url),
      amount,
      ...options,
    });
  }

  pending() {
    return this.sdk.token.transfer.pending(this.partyId);
  }

  /** The command of a choice on a pending transfer: accept, reject or withdraw. */
  answer(choice, transferInstructionCid) {
    return this.sdk.token.transfer[choice]({ transferInstructionCid, registryUrl: registryOf(this.url) });
  }

  coins() {
    return this.sdk.token.utxos.list({ partyId: this.partyId });
  }

  /** The amounts of the unlocked coins, ascending. */
  async amounts() {
    const coins = await this.coins();
    return coins.map(({ interfaceViewValue }) => interfaceViewValue.amount).sort((a, b) => Number(a) - Number(b));
  }
}

/** Asserts that a promise is refused with a JsCantonError. */
export async function refused(promise, expected) {
  const error = await promise.then(
    (value) => assert.fail(`expected a refusal, got ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  const body = error?.code === undefined && error?.cause?.code !== undefined ? error.cause : error;
  for (const [field, value] of Object.entries(expected))
    assert.equal(body[field], value, `${field} of ${JSON.stringify(body)} ${error?.stack ?? ''}`);
}
