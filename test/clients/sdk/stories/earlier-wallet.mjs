import { randomUUID } from 'node:crypto';
import {
  createKeyPair,
  LedgerController,
  localNetAuthDefault,
  TokenStandardController,
  ValidatorController,
  WalletSDKImpl,
} from 'wallet-sdk-0';

/* Wallets of the SDK 0.20.0, whose controllers act for one party at a time. */

const silent = () => undefined;
const SILENT = { debug: silent, info: silent, warn: silent, error: silent, trace: silent, child: () => SILENT };
export const COIN = { instrumentId: 'Amulet' };

async function connect(url) {
  const ledger = new URL(url);
  const validator = new URL(`${url}/api/validator`);
  const sdk = new WalletSDKImpl().configure({
    logger: SILENT,
    authFactory: () => localNetAuthDefault(),
    ledgerFactory: (user, tokens, isAdmin) => new LedgerController(user, ledger, '', isAdmin, tokens),
    tokenStandardFactory: (user, tokens, isAdmin) =>
      new TokenStandardController(user, ledger, validator, '', tokens, isAdmin, false, new URL(`${url}/api/scan`)),
    validatorFactory: (user, tokens) => new ValidatorController(user, validator, tokens),
  });
  await sdk.connect();
  await sdk.connectTopology(validator);
  sdk.tokenStandard.setTransferFactoryRegistryUrl(new URL(`${url}/api/validator/v0/scan-proxy`));
  return sdk;
}

/** An external party with its own connection. */
export async function wallet(url, hint) {
  const sdk = await connect(url);
  const keys = createKeyPair();
  const { partyId } = await sdk.userLedger.signAndAllocateExternalParty(keys.privateKey, hint);
  await sdk.setPartyId(partyId);
  const execute = ([command, disclosed], commandId = randomUUID()) =>
    sdk.userLedger.prepareSignExecuteAndWaitFor(command, keys.privateKey, commandId, disclosed);
  const amounts = async () => {
    const coins = await sdk.tokenStandard.listHoldingUtxos(false);
    return coins.map(({ interfaceViewValue }) => interfaceViewValue.amount).sort();
  };
  return { sdk, keys, partyId, execute, amounts };
}
