// Ether between the twenty accounts of a simulated Hardhat network in this process: one block per transfer.
import { measure } from './pace.mjs';

const BATCH = 100;

await measure({
  async first() {
    const { createHardhatRuntimeEnvironment } = await import('hardhat/hre');
    const { network } = await createHardhatRuntimeEnvironment({});
    const { provider } = await network.create();
    const peer = { provider, accounts: await provider.request({ method: 'eth_accounts' }), sent: 0 };
    await send(peer, transfer(peer, 0));
    return peer;
  },

  prepare: (peer) => Array.from({ length: BATCH }, (_, i) => transfer(peer, i)),

  async make(peer, batch) {
    for (const one of batch) await send(peer, one);
    return batch.length;
  },

  async check({ provider, sent }) {
    const blocks = Number(await provider.request({ method: 'eth_blockNumber' }));
    if (blocks !== sent) throw new Error(`${sent} transfers made ${blocks} blocks`);
  },
});

function transfer({ accounts }, i) {
  return { from: accounts[i % accounts.length], to: accounts[(i + 1) % accounts.length], value: '0x1' };
}

async function send(peer, one) {
  await peer.provider.request({ method: 'eth_sendTransaction', params: [one] });
  peer.sent++;
}
