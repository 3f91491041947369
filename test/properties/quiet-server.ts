import { codec, type ProfileName, type Update } from '@coinlab/core';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { busyNetwork, resolve } from '@coinlab/testing';

type Steps = readonly Parameters<typeof resolve>[0][];

/** Plays the steps on a busy network, without the refused ones. Returns the log. */
export function updatesAfter(profile: ProfileName, steps: Steps): readonly Update[] {
  let ledger = busyNetwork(profile);
  for (const step of steps) {
    const { command, context } = resolve(step, ledger.state);
    const result = ledger.submit(command, context);
    if (result.ok) ledger = result.value.ledger;
  }
  return ledger.updates();
}

/** A server that continues the log and adds nothing to it. */
export async function quietServer(updates: readonly Update[]): Promise<CoinlabServer> {
  const from = updates.map((update) => `${codec.encode(update)}\n`).join('');
  const automation = {
    dso: false,
    rewards: false,
    preapprovals: false,
    mergeDelegations: false,
    mintingDelegations: false,
  };
  return createServer({ from, automation, limits: { listElements: 100_000 } });
}
