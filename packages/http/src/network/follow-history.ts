import type { ContractId } from '@coinlab/core';
import type { Host } from '../host/host.js';
import { creationIndex, type CreationIndex } from '../history/creation-index.js';
import { Follower } from '../history/follower.js';
import { history, type History, type LinesBefore } from '../history/history.js';
import type { LogHeads } from '../history/log-heads.js';
import { networkContracts, type NetworkContracts } from '../history/network-contracts.js';
import { partyUpdates, type PartyUpdates } from '../history/party-updates.js';
import { userSubmissions, type UserSubmissions } from '../history/user-submissions.js';
import { walletIndex, type WalletIndex } from '../history/wallet-index.js';

export interface Indexes {
  readonly history: History;
  readonly created: CreationIndex;
  readonly wallets: WalletIndex;
  readonly ofParties: PartyUpdates;
  readonly network: NetworkContracts;
  readonly submissions: UserSubmissions;
  readonly follower: Follower;
  readonly inTransit: Set<ContractId>;
}

export interface KnownLog {
  readonly heads: LogHeads;
  readonly lineAt: ((offset: number) => string) | null;
  readonly before?: LinesBefore;
  readonly lines?: Iterable<string>;
}

export function followHistory(host: Host, { heads, lineAt, before, lines = [] }: KnownLog): Indexes {
  const builder = history(heads, lineAt, before);
  const follower = new Follower(builder);
  const wallets = walletIndex(builder, follower);
  const ofParties = partyUpdates(follower);
  const network = networkContracts(follower);
  const submissions = userSubmissions(follower);
  const inTransit = new Set<ContractId>();
  host.holdBack(inTransit);
  for (const line of lines) builder.addLine(line);
  if (builder.head > 0) builder.keep(host.state);
  host.onUpdate((update, after) => {
    builder.add(update, after);
    follower.add(update);
  });
  host.onReverting((offset) => builder.beforeCut(offset));
  host.onReplaced(({ offset }) => {
    builder.takeBack(offset + 1);
    follower.reset();
    inTransit.clear();
  });
  const created = creationIndex(heads, builder);
  return { history: builder, created, wallets, ofParties, network, submissions, follower, inTransit };
}
