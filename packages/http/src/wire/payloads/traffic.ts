import type { ContractOf } from '@coinlab/core';
import type { TrafficMember } from '@coinlab/core/contracts';
import { int, time, type Payload, type Terms } from './fields.js';

// Payloads of traffic contracts and wallets. Source: specification of the API §11.7.

export function memberTrafficPayload(traffic: ContractOf<'MemberTraffic'>, { dso, decimal }: Terms): Payload {
  return {
    dso,
    ...memberPayload(traffic),
    totalPurchased: int(traffic.totalPurchasedBytes),
    numPurchases: int(traffic.numPurchases),
    amuletSpent: decimal(traffic.amuletSpent),
    usdSpent: decimal(traffic.usdSpent),
  };
}

export function buyTrafficRequestPayload(request: ContractOf<'BuyTrafficRequest'>, { dso }: Terms): Payload {
  const { endUser, expiresAt, trackingId, trafficBytes } = request;
  return {
    dso,
    endUserParty: endUser,
    expiresAt: time(expiresAt),
    trackingId,
    trafficAmount: int(trafficBytes),
    ...memberPayload(request),
  };
}

export function topUpStatePayload(state: ContractOf<'ValidatorTopUpState'>, { dso }: Terms): Payload {
  const { validator, lastPurchasedAt } = state;
  return { dso, validator, ...memberPayload(state), lastPurchasedAt: time(lastPurchasedAt) };
}

export function walletAppInstallPayload(
  { validator, endUserName, endUser }: ContractOf<'WalletAppInstall'>,
  { dso }: Terms,
): Payload {
  return { dsoParty: dso, validatorParty: validator, endUserName, endUserParty: endUser };
}

function memberPayload({ memberId, synchronizerId, migrationId }: TrafficMember): Payload {
  return { memberId, synchronizerId, migrationId: int(migrationId) };
}
