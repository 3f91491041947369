import type { LedgerView } from '../history/ledger-view.js';
import { partiesOf } from './active-contract.js';
import { contractIdText } from './contract-id.js';
import { createArgumentOf } from './ledger/values.js';
import { writeContractInstance, writeLfValue } from './protobuf/contract-instance.js';
import type { Value } from './protobuf/messages.js';
import { valueOfJson } from './protobuf/values.js';
import { placeOf, templateIdOf, type NetworkContract } from './templates.js';

export const LF_VERSION = '2.1';

/** Caches blobs, because contracts are immutable. */
const blobs: WeakMap<NetworkContract, Uint8Array> = new WeakMap();

/** Returns a `FatContractInstance` of the network in Base64. Assumption: A-143. */
export function createdEventBlob(contract: NetworkContract, ledger: LedgerView): string {
  return Buffer.from(blobBytes(contract, ledger)).toString('base64');
}

export function blobBytes(contract: NetworkContract, ledger: LedgerView, argument?: Value): Uint8Array {
  const known = blobs.get(contract);
  if (known) return known;
  const [packageId = '', moduleName = '', name = ''] = templateIdOf(contract).split(':');
  const { signatories, observers } = partiesOf(contract, ledger.state);
  const others = observers.filter((party) => !signatories.includes(party));
  const made = writeContractInstance(LF_VERSION, {
    contractId: Buffer.from(contractIdText(contract, ledger), 'hex'),
    packageName: placeOf(contract).packageName,
    templateId: { packageId, moduleName: moduleName.split('.'), name: [name] },
    createArg: writeLfValue(argument ?? argumentOf(contract, ledger)),
    nonMaintainerSignatories: signatories.toSorted(),
    nonSignatoryStakeholders: others.toSorted(),
    createdAt: ledger.created.timeOf(contract.id),
  });
  blobs.set(contract, made);
  return made;
}

export function argumentOf(contract: NetworkContract, { state }: LedgerView): Value {
  return valueOfJson(createArgumentOf(contract, state));
}
