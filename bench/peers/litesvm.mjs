// SOL between sixteen funded accounts in LiteSVM. Transactions are built and signed before the measured time.
import { measure } from './pace.mjs';

const ACCOUNTS = 16;
const BATCH = 500;
const FUNDS = 1_000_000_000_000n;
const verifies = !process.argv.includes('unverified');

await measure({
  async first() {
    const [{ LiteSVM, FailedTransactionMetadata }, kit, { getTransferSolInstruction }] = await Promise.all([
      import('litesvm'),
      import('@solana/kit'),
      import('@solana-program/system'),
    ]);
    const svm = verifies ? new LiteSVM() : new LiteSVM().withSigverify(false);
    const peer = { svm, kit, FailedTransactionMetadata, getTransferSolInstruction, lamports: 1n, accounts: [] };
    for (let i = 0; i < 2; i++) await fund(peer);
    send(peer, await signed(peer, message(peer, 0)));
    return peer;
  },

  async prepare(peer) {
    while (peer.accounts.length < ACCOUNTS) await fund(peer);
    peer.built ??= peer.accounts.map((_, i) => peer.kit.compileTransaction(message(peer, i)));
    return Promise.all(Array.from({ length: BATCH }, (_, i) => next(peer, i % ACCOUNTS)));
  },

  make(peer, batch) {
    for (const transaction of batch) send(peer, transaction);
    return batch.length;
  },

  check({ svm, accounts }) {
    if (accounts.every(({ address }) => svm.getBalance(address) === FUNDS)) throw new Error('nothing was transferred');
  },
});

async function fund({ svm, kit, accounts }) {
  const account = await kit.generateKeyPairSigner();
  svm.airdrop(account.address, kit.lamports(FUNDS));
  accounts.push(account);
}

function message({ svm, kit, accounts, getTransferSolInstruction, lamports }, i) {
  const source = accounts[i];
  const destination = accounts[(i + 1) % accounts.length].address;
  const transfer = getTransferSolInstruction({ source, destination, amount: kit.lamports(lamports) });
  return kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (building) => kit.setTransactionMessageFeePayerSigner(source, building),
    (building) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(building),
    (building) => kit.appendTransactionMessageInstruction(transfer, building),
  );
}

async function signed({ kit }, building) {
  return verifies ? kit.signTransactionMessageWithSigners(building) : kit.compileTransaction(building);
}

/**
 * Returns a transaction with a unique amount, because LiteSVM refuses duplicates. The amount precedes the
 * last byte, the number of lookup tables.
 */
async function next(peer, i) {
  const { messageBytes, signatures, ...rest } = peer.built[i];
  const bytes = new Uint8Array(messageBytes);
  new DataView(bytes.buffer).setBigUint64(bytes.length - 9, (peer.lamports += 1n), true);
  const { address, keyPair } = peer.accounts[i];
  const signature = verifies ? await peer.kit.signBytes(keyPair.privateKey, bytes) : signatures[address];
  return { ...rest, messageBytes: bytes, signatures: { [address]: signature } };
}

function send({ svm, FailedTransactionMetadata }, transaction) {
  const outcome = svm.sendTransaction(transaction);
  if (outcome instanceof FailedTransactionMetadata) throw new Error(`refused: ${outcome.err()}`);
}
